// The page of a comparison.

import { openComparison } from "../comparison_page.js";

await openComparison();
