"""Results files: layout, writing, reading, export."""
