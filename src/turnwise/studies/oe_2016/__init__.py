"""*Online Evolution for Multi-Action Adversarial Games* (Justesen, Mahlmann, Togelius 2016), run again."""
