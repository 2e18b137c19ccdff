// The network of the evaluation, read from the text that submission/native/k_in_a_row.py writes; mirrors network.py.
#pragma once

#include <cstring>

#include "patterns.h"
#include "text.h"

namespace tengen {

class Network {
public:
    OrderWeights potentials[KINDS];         // by surroundings; empty: there is no network

    Network() = default;

    // text, in this order: the numbers of surroundings, units and logarithms; each surroundings with its potentials of
    // all KINDS; 256 activations for each kind; the logarithms; for each unit its bias, the weight of its output and
    // INPUTS weights; the constant.
    explicit Network(const char* text) {
        Text in(text);
        const int64_t rows = in.number(), units = in.number(), pools = in.number();
        for (int64_t i = 0; i < rows; i++) {
            const std::string around = in.word();
            for (OrderWeights& kind : potentials) {
                for (int& weight : kind[around]) weight = int(in.number());
            }
        }
        for (auto& kind : activations_) {
            for (int64_t& activation : kind) activation = in.number();
        }
        for (int byte = 0; byte < 8; byte++) {
            const auto& kind = activations_[byte >> 1 & 1];
            int first = 0;                      // the least potential with an activation
            while (first < 128 && !kind[first]) first++;
            to_top_ |= uint64_t(128 - first) << 8 * byte;
        }
        logarithms_.resize(pools);
        for (int32_t& logarithm : logarithms_) logarithm = int32_t(in.number());
        units_.resize(units);
        for (Unit& unit : units_) {
            unit.bias = in.number();
            unit.out = in.number();
            for (int32_t& weight : unit.weights) weight = int32_t(in.number());
        }
        constant_ = in.number();
    }

    // Write the pools of both colours: for each kind, the sum of the activations of its potentials.
    //
    // Two cells are read as one word. Most potentials have no activation; one addition finds the bytes that have one,
    // because it carries into their top bits. The array goes on after the last cell, with a potential of 0.
    void pools(const uint32_t* potentials, int cells, int64_t sums[2][KINDS]) const {
        static_assert(KINDS == 2, "a cell has four bytes");
        constexpr uint64_t TOPS = 0x8080808080808080u;
        uint64_t both[KINDS] = {};                          // Black's sum in the low half, White's in the high one
        for (int cell = 0; cell < cells; cell += 2) {
            uint64_t word;
            std::memcpy(&word, potentials + cell, sizeof word);
            uint64_t active = (((word & ~TOPS) + to_top_) | word) & TOPS;
            for (; active; active &= active - 1) {
                const int bit = __builtin_ctzll(active) - 7, kind = bit >> 4 & 1;
                both[kind] += uint64_t(activations_[kind][word >> bit & 255]) << 4 * (bit & 8);
            }
        }
        for (int kind = 0; kind < KINDS; kind++) {
            const int64_t beyond = cells & 1 ? activations_[kind][0] : 0;
            for (int colour : {BLACK, WHITE}) sums[colour][kind] = int64_t(both[kind] >> 32 * colour & 0xFFFFFFFF) - beyond;
        }
    }

    // The value in the mover's view. own, other: the pools of the mover and of the opponent, by kind.
    int64_t value(const int64_t* own, const int64_t* other, int lines, bool threatened, int own_cells,
                  int other_cells) const {
        int32_t inputs[INPUTS], *next = inputs;
        for (const int64_t* pools : {own, other}) {
            for (int kind = 0; kind < KINDS; kind++) {
                *next++ = logarithms_[std::min(pools[kind], int64_t(logarithms_.size()) - 1)];
            }
        }
        for (int fact : {lines, int(threatened), own_cells, other_cells}) *next++ = fact;
        int64_t total = 0;
        for (const Unit& unit : units_) {
            int64_t sum = unit.bias;
            for (int i = 0; i < INPUTS; i++) sum += int64_t(unit.weights[i]) * inputs[i];
            total += std::max(sum, int64_t(0)) * unit.out;
        }
        return (total >> 16) + constant_;
    }

private:
    static constexpr int INPUTS = 2 * KINDS + 4;

    struct Unit {
        int64_t bias, out;
        int32_t weights[INPUTS];
    };

    int64_t activations_[KINDS][256] = {}, constant_ = 0;
    uint64_t to_top_ = 0;               // added to a word of potentials: sets the top bit of bytes with an activation
    std::vector<int32_t> logarithms_;
    std::vector<Unit> units_;
};

}  // namespace tengen
