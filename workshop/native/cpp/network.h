// The network of the evaluation, read from the text that submission/native/k_in_a_row.py writes; mirrors network.py.
#pragma once

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
        logarithms_.resize(pools);
        for (int64_t& logarithm : logarithms_) logarithm = in.number();
        units_.resize(units);
        for (Unit& unit : units_) {
            unit.bias = in.number();
            unit.out = in.number();
            for (int64_t& weight : unit.weights) weight = in.number();
        }
        constant_ = in.number();
    }

    // The summand of a cell with this potential in a colour's pool.
    int64_t activation(int kind, int potential) const { return activations_[kind][potential]; }

    // The value in the mover's view. pools: of the mover and of the opponent, by kind.
    int64_t value(const int64_t pools[2][KINDS], int64_t lines, bool threatened, int own, int other) const {
        int64_t inputs[INPUTS], *next = inputs;
        for (int side : {0, 1}) {
            for (int kind = 0; kind < KINDS; kind++) {
                *next++ = logarithms_[std::min(pools[side][kind], int64_t(logarithms_.size()) - 1)];
            }
        }
        for (int64_t fact : {lines, int64_t(threatened), int64_t(own), int64_t(other)}) *next++ = fact;
        int64_t total = 0;
        for (const Unit& unit : units_) {
            int64_t sum = unit.bias;
            for (int i = 0; i < INPUTS; i++) sum += unit.weights[i] * inputs[i];
            total += std::max(sum, int64_t(0)) * unit.out;
        }
        return (total >> 16) + constant_;
    }

private:
    static constexpr int INPUTS = 2 * KINDS + 4;

    struct Unit {
        int64_t bias, out, weights[INPUTS];
    };

    int64_t activations_[KINDS][256] = {}, constant_ = 0;
    std::vector<int64_t> logarithms_;
    std::vector<Unit> units_;
};

}  // namespace tengen
