// The network of the evaluation, read from the text that workshop/native/k_in_a_row.py writes; mirrors network.py.
#pragma once

#include <sstream>

#include "patterns.h"

namespace tengen {

class Network {
public:
    OrderWeights potentials[KINDS];         // by surroundings; empty: there is no network

    Network() = default;

    // text, in this order: the numbers of surroundings, units and logarithms; each surroundings with its potentials of
    // all KINDS; 256 activations for each kind; the logarithms; for each unit its bias, the weight of its output and
    // INPUTS weights; the constant.
    explicit Network(const char* text) {
        std::istringstream in(text);
        size_t rows = 0, units = 0, pools = 0;
        in >> rows >> units >> pools;
        for (size_t i = 0; i < rows; i++) {
            std::string around;
            in >> around;
            for (OrderWeights& kind : potentials) in >> kind[around][0] >> kind[around][1];
        }
        for (auto& kind : activations_) {
            for (int64_t& activation : kind) in >> activation;
        }
        logarithms_.resize(pools);
        for (int64_t& logarithm : logarithms_) in >> logarithm;
        units_.resize(units);
        for (Unit& unit : units_) {
            in >> unit.bias >> unit.out;
            for (int64_t& weight : unit.weights) in >> weight;
        }
        in >> constant_;
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
