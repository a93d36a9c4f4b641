"""The rules in short, for a person who plays."""

RULES = """\
Drive a car through all checkpoints in their order in as few turns as possible. In every turn it turns, accelerates by
the thrust, and moves; friction keeps 85 % of its speed. A checkpoint is passed within 600 units of its centre.
  EXPERT -18 200   turn by -18 degrees (-18 to 18), thrust 200 (0 to 200)
  4000 5000 200    aim at the point 4000,5000, thrust 200; legal although it is not listed"""
