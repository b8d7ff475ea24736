"""The site: static pages made of players, lectures, docs and numbers from calls.

>>> from animations.site import build_site
>>> build_site.__name__
'build_site'
"""

from animations.site.build import Site, build_site

__all__ = ["Site", "build_site"]
