"""The rules in short, for a person who plays."""

RULES = """\
Remove regions: two or more cells of one colour that touch along their edges. A region of n cells scores (n - 2)²
points; cells above fall down, and empty columns close. A cleared board scores 1000 points more. Cells that are left
may cost points at the end, depending on the option end_penalty.
  3 7   remove the region with the cell in column 3 and row 7; rows count from the bottom, both from 0"""
