"""What is visible as plain data: shapes, text and scenery in tones on a sheet; of no recording."""
