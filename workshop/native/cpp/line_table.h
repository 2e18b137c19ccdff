// Line tables: the board as the configurations of its lines; mirrors line_table.py, LineFacts and LineScores.
// A node is one configuration of a line of some length. A node holds the masks, the value and the ordering scores of
// the configuration, and for each slot the node after a stone there, created on demand. Lines of equal length share
// their nodes.
#pragma once

#include "flat_map.h"
#include "patterns.h"

namespace tengen {

constexpr int SLOTS = 2 * LONGEST_LINE;             // slot i: black on the i-th cell; LONGEST_LINE + i: white
constexpr int PARTS = 2 * CLASSES * LONGEST_LINE / 64; // words of the masks of a content
constexpr uint32_t UNKNOWN = 0xFFFFFFFF;
constexpr uint32_t DEAD = 0;                        // the node of all lines shorter than k: no patterns, no scores
constexpr size_t MOST_NODES = 4000000;              // above this, clear() of a board drops all nodes; 256 bytes each

struct alignas(64) LineNode {
    union {
        uint16_t masks[2][CLASSES];                 // by colour and pattern
        uint64_t packed[PARTS];
    };
    int32_t value[2];                               // in each colour's view if it is to move
    uint16_t scores[LONGEST_LINE];                  // of each cell, for Black in the low byte, for White in the high
    uint32_t potentials[LONGEST_LINE];              // of each cell: two bytes for each kind, packed as scores
    uint32_t next[SLOTS];
};

class LineTable {
public:
    explicit LineTable(Runs& runs) : runs_(runs) { forget(); }

    const LineNode& operator[](uint32_t node) const { return nodes_[node]; }

    // The node of an empty line.
    uint32_t start(int length) { return node(length, 0, 0); }

    // The node after a stone in a slot.
    uint32_t after(uint32_t node, int slot) {
        const uint32_t next = nodes_[node].next[slot];
        return next != UNKNOWN ? next : grow(node, slot);
    }

    size_t size() const { return nodes_.size(); }

    void forget() {
        numbers_.clear();
        contents_.assign(1, Content{0, 0, 0});
        nodes_.assign(1, LineNode{});               // DEAD: all its steps lead to itself
    }

private:
    struct Content {
        int length;
        uint32_t black, white;
    };

    uint32_t node(int length, uint32_t black, uint32_t white) {
        const uint64_t key = uint64_t(length) << 40 | uint64_t(black) << 20 | white;
        uint32_t& number = numbers_.put(key);
        if (!number) {
            number = uint32_t(nodes_.size());
            contents_.push_back({length, black, white});
            nodes_.push_back(describe(length, black, white));
        }
        return number;
    }

    uint32_t grow(uint32_t from, int slot) {
        const Content content = contents_[from];
        const uint32_t black = slot < LONGEST_LINE ? 1u << slot : 0;
        const uint32_t white = slot < LONGEST_LINE ? 0 : 1u << (slot - LONGEST_LINE);
        const uint32_t to = node(content.length, content.black | black, content.white | white);
        nodes_[from].next[slot] = to;
        return to;
    }

    LineNode describe(int length, uint32_t black, uint32_t white) {
        LineNode node{};
        for (uint32_t& next : node.next) next = UNKNOWN;
        for (int colour : {BLACK, WHITE}) {
            const uint32_t own = colour == BLACK ? black : white, other = colour == BLACK ? white : black;
            int threats = 0;                        // runs with OPEN_FOUR cells
            free_runs(other, length, runs_.k, [&](int start, uint32_t cells, uint32_t end) {
                const RunFacts& run = runs_.at((own >> start & cells) | end);
                for (int i = 0; i < CLASSES; i++) node.masks[colour][i] |= uint16_t(run.masks[i] << start);
                node.value[colour] += run.value[0];
                node.value[1 - colour] += run.value[1];
                for (int i = 0; cells >> i; i++) {
                    node.scores[start + i] += both(run.scores[0][i], run.scores[1][i], colour);
                    for (int kind = 0; kind < KINDS; kind++) {
                        const auto& potential = run.potentials[kind];
                        node.potentials[start + i] += uint32_t(both(potential[0][i], potential[1][i], colour)) << 16 * kind;
                    }
                }
                threats += run.masks[OPEN_FOUR] != 0;
            });
            if (threats > 1) node.masks[colour][ANSWER] = 0;    // a single stone cannot answer both
        }
        return node;
    }

    // A number for `colour` and one for the other colour, packed as in a node.
    static uint16_t both(int of_colour, int of_other, int colour) {
        return uint16_t(of_colour << 8 * colour | of_other << 8 * (1 - colour));
    }

    Runs& runs_;
    FlatMap<uint32_t> numbers_;                     // numbers of the nodes, by content
    std::vector<Content> contents_;
    std::vector<LineNode> nodes_;
};

}  // namespace tengen
