// The rooms of the core and their order: each sees the names of the rooms it may use, and no
// others.
//
// A room is a folder and a namespace. What a folder may include is what its namespace uses here;
// tests/house holds the two together. Names that two rooms share are written with their room.
#pragma once

namespace tokumei {

// What a kernel borrows and is run by: views, instruction sets, progress, threads.
namespace runtime {}
// Registers of numbers: loading, comparing, exponentials, powers.
namespace simd {
using namespace runtime;
}
// Sums without rounding, sorting, chance for searches.
namespace numeric {
using namespace simd;
}
// Records in space: the nearest, the farthest, and taking them out.
namespace spatial {
using namespace numeric;
}
// Orders of all records: paths and curves.
namespace order {
using namespace spatial;
}
// The best cut of an order into groups.
namespace cut {
using namespace numeric;
}
// Groups grown or divided, and what is published of them.
namespace group {
using namespace cut;
using namespace order;
}  // namespace group
// The search for groups of lower loss.
namespace refine {
using namespace group;
}
// What no groups can undercut.
namespace bounds {
using namespace spatial;
}
// Double sums over pairs of records.
namespace pairs {
using namespace group;
}
// Chance that protects people, and the channels that draw from it.
namespace noise {
using namespace numeric;
}
// Distributions from noisy values.
namespace reconstruct {
using namespace numeric;
}
// The levels of hierarchies that cost least.
namespace lattice {
using namespace numeric;
}

}  // namespace tokumei
