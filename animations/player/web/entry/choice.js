// The page of several recordings, of which one is chosen.

import { openAddressed } from "../catalog_page.js";

await openAddressed();
