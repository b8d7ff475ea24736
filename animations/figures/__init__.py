"""Figures for slides: plain data from recordings and the cost layer, drawn by matplotlib."""
