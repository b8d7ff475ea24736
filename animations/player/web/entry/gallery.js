// The page of the whole catalog, which begins with its map.

import { catalog, choose, entries, openAddressed } from "../catalog_page.js";
import { mountMap } from "../views/gallery.js";

if (catalog.map) mountMap(entries, catalog.map, choose);
await openAddressed();
