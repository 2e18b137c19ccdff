// Data that all boards of one size and rule share: lines, tables, keys, neighbourhoods; mirrors geometry.py.
#pragma once

#include "line_table.h"
#include "mask.h"
#include "network.h"

namespace tengen {

constexpr int DIRECTIONS = 4;
constexpr int NEAR = 2;                 // cells: a cell is near a stone at most this far away, in 8 directions
constexpr int STEPS[DIRECTIONS][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};     // rows down, columns right
constexpr int MOST_LINES = 96;          // 78 on 16 x 16 for five in a row, and the dummy line

struct Line {
    int first, length;
};

class KInARowGeometry {
public:
    const int rows, cols, k, cells;
    int lines = 0;                                  // number of real lines; the dummy line has this number
    Mask all, near[MOST_CELLS], in_line[MOST_CELLS];
    Line line[MOST_LINES] = {};                     // the dummy line has no cells
    uint8_t cells_of[MOST_LINES][LONGEST_LINE];     // the cells of a line
    uint8_t line_of[MOST_CELLS][DIRECTIONS];        // the number of a cell's line, and the cell's place in it
    uint8_t index_of[MOST_CELLS][DIRECTIONS];
    uint64_t keys[2][MOST_CELLS], turn_key;
    KInARowParameters use;
    const Network network;
    Runs runs;
    LineTable table;
    uint32_t start[MOST_LINES] = {};                // the nodes of the empty board

    // keys: the Zobrist keys of the Python engine: Black's by cell, White's by cell, that of the turn.
    KInARowGeometry(int rows, int cols, int k, const uint64_t* keys_, const KInARowParameters& use_, OrderWeights order,
                    Network network_)
        : rows(rows), cols(cols), k(k), cells(rows * cols), turn_key(keys_[2 * cells]), use(use_),
          network(std::move(network_)), runs(k, std::max(rows, cols), use, std::move(order), network.potentials),
          table(runs) {
        for (int cell = 0; cell < cells; cell++) {
            all.flip(cell);
            near[cell] = around(cell, NEAR);
            in_line[cell] = around(cell, k - 1);
            keys[BLACK][cell] = keys_[cell];
            keys[WHITE][cell] = keys_[cells + cell];
        }
        find_lines();
        forget();
    }

    KInARowGeometry(const KInARowGeometry&) = delete;

    // Empty the line table. Afterwards every board must be set up again.
    void forget() {
        table.forget();
        for (int i = 0; i < lines; i++) start[i] = table.start(line[i].length);
        start[lines] = DEAD;
    }

    bool inside(int row, int col) const { return 0 <= row && row < rows && 0 <= col && col < cols; }

private:
    void find_lines() {
        int numbers[MOST_CELLS][DIRECTIONS], indices[MOST_CELLS][DIRECTIONS];
        for (auto& of_cell : numbers) std::fill(of_cell, of_cell + DIRECTIONS, -1);
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            const int down = STEPS[direction][0], right = STEPS[direction][1];
            for (int first = 0; first < cells; first++) {
                int row = first / cols, col = first % cols, length = 0;
                if (inside(row - down, col - right)) continue;          // the line began earlier
                while (inside(row + length * down, col + length * right)) length++;
                if (length < k) continue;
                for (int i = 0; i < length; i++) {
                    const int cell = first + i * (down * cols + right);
                    numbers[cell][direction] = lines;
                    indices[cell][direction] = i;
                    cells_of[lines][i] = uint8_t(cell);
                }
                line[lines++] = {first, length};
            }
        }
        for (int cell = 0; cell < cells; cell++) {
            for (int direction = 0; direction < DIRECTIONS; direction++) {
                const bool real = numbers[cell][direction] >= 0;
                line_of[cell][direction] = uint8_t(real ? numbers[cell][direction] : lines);
                index_of[cell][direction] = uint8_t(real ? indices[cell][direction] : 0);
            }
        }
    }

    // The cells at most `steps` away in one of the eight directions, and the cell itself.
    Mask around(int cell, int steps) const {
        Mask found;
        for (const auto& way : STEPS) {
            for (int step = -steps; step <= steps; step++) {
                const int row = cell / cols + step * way[0], col = cell % cols + step * way[1];
                if (inside(row, col)) found |= Mask::of(row * cols + col);
            }
        }
        return found;
    }
};

}  // namespace tengen
