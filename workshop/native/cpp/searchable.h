// Values of positions: mirrors searchable.py. A win in n plies is worth WIN - n, a loss n - WIN.
#pragma once

namespace tengen {

constexpr int INFINITE = 1000001;            // greater than every value
constexpr int WIN = 1000000;
constexpr int PROVED_WIN = WIN - 1000;      // values from here on are proved wins, down from -PROVED_WIN proved losses

}  // namespace tengen
