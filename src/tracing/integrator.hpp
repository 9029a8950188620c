/// Runge-Kutta methods, and their application to particles that move through the blocks of a field.
#pragma once

#include <tracing/field_block.hpp>
#include <tracing/line_store.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace weft {

/// The classical method of order 4, with constant steps.
struct rk4 {
    static constexpr std::size_t stages = 4;
    static constexpr bool adaptive = false;
    static constexpr double c[stages] = {0, 0.5, 0.5, 1};
    static constexpr double a[stages][stages] = {{}, {0.5}, {0, 0.5}, {0, 0, 1}};
    static constexpr double b[stages] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
};

/// Order 5 with an error estimate of order 4; the last stage is the first stage of the next step.
/// Source: Dormand, Prince, A family of embedded Runge-Kutta formulae, 1980.
struct rk45 {
    static constexpr std::size_t stages = 7;
    static constexpr bool adaptive = true;
    static constexpr double c[stages] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
    static constexpr double a[stages][stages] = {{}, {1.0 / 5}, {3.0 / 40, 9.0 / 40},
        {44.0 / 45, -56.0 / 15, 32.0 / 9}, {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
        {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
        {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
    static constexpr double b[stages] = {
        35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0};
    /// The weights of the difference from a step of order 4.
    static constexpr double error[stages] = {
        71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
};

/// The limits of a trace. Steps are in time, negative for a backward trace.
struct trace_rule {
    double step = 0; ///< the first step of rk45
    std::int64_t max_steps = 1000;
    double start_time = 0;
    double duration = std::numeric_limits<double>::infinity(); ///< rk45 only
    double tolerance = 0;                                      ///< rk45 only: error of a step, as a length
    double min_step = 0;                                       ///< rk45 only; positive
    double max_step = std::numeric_limits<double>::infinity(); ///< rk45 only; at most 2^1000 is used
};

/// A moving particle. A step that needs the values of another block is finished there, so the completed
/// stages move with the particle.
template <class Method>
struct particle {
    std::int64_t id;
    std::int64_t steps; ///< completed steps
    vector3 place;
    double time;
    double step;        ///< the current step
    double path;        ///< length so far
    std::int64_t stage; ///< the next stage
    std::array<vector3, Method::stages - 1> k;
};

template <class Method>
[[nodiscard]] particle<Method> particle_at(std::int64_t id, vector3 const& place, trace_rule const& rule) {
    return {id, 0, place, rule.start_time, rule.step, 0, 0, {}};
}

enum class trace_outcome : std::uint8_t {
    ended,     ///< the trace is complete
    left,      ///< left the field; its last place is kept
    elsewhere, ///< continues in the block that contains `particle_steps::wanted`
};

/// Moves the particles of a block.
template <class Method>
class particle_steps {
public:
    /// `lines`: receives the places; null: they are not recorded.
    particle_steps(field_block const& field, trace_rule const& rule, line_store* lines) noexcept
        : cursor_(field), rule_(rule), lines_(lines) {
        rule_.max_step = std::min(rule_.max_step, 0x1p1000); // half of infinity is still infinity
    }

    /// Steps until the trace of the particle ends, or needs the values of another block.
    [[nodiscard]] trace_outcome advance(particle<Method>& of) {
        if (lines_ != nullptr) lines_->begin_visit(of.id);
        particle<Method> p = of;
        trace_outcome outcome = trace_outcome::ended;
        std::array<vector3, Method::stages> k{};
        std::copy(p.k.begin(), p.k.end(), k.begin());
        while (goes_on(p)) {
            auto const result = make_stages<0>(p, k);
            if (result == flow_cursor::found::here) {
                finish_step(p, k);
            } else if (result == flow_cursor::found::elsewhere) {
                outcome = trace_outcome::elsewhere;
                break;
            } else if (!try_shorter(p)) {
                if (result == flow_cursor::found::outside) outcome = trace_outcome::left;
                break;
            }
        }
        if (lines_ != nullptr && outcome != trace_outcome::elsewhere && p.stage == 0)
            keep(p, p.steps > 0 ? k[Method::stages - 1] : vector3{});
        std::copy(k.begin(), k.end() - 1, p.k.begin());
        of = p;
        return outcome;
    }

    /// Returns the place whose values this block lacks.
    [[nodiscard]] vector3 const& wanted() const noexcept { return wanted_; }

private:
    using stages = std::array<vector3, Method::stages>;

    [[nodiscard]] bool goes_on(particle<Method> const& p) const noexcept {
        if (p.steps >= rule_.max_steps) return false;
        if constexpr (Method::adaptive) // a remainder due to rounding is no step
            return std::abs(p.time - rule_.start_time) < rule_.duration * (1 - 1e-12);
        else
            return true;
    }

    template <std::size_t I>
    [[nodiscard]] flow_cursor::found make_stages(particle<Method>& p, stages& k) {
        if constexpr (I < Method::stages) {
            if (p.stage <= static_cast<std::int64_t>(I)) {
                vector3 at = p.place;
                if constexpr (I > 0)
                    for (std::size_t d = 0; d < 3; ++d) at[d] += p.step * weighted<I>(k, Method::a[I], d);
                auto const found = cursor_.velocity(at, p.time + Method::c[I] * p.step, k[I]);
                if (found != flow_cursor::found::here) {
                    p.stage = I;
                    wanted_ = at;
                    return found;
                }
                if constexpr (I == 0)
                    if (lines_ != nullptr) keep(p, k[0]);
            }
            return make_stages<I + 1>(p, k);
        } else {
            return flow_cursor::found::here;
        }
    }

    /// Returns the weighted sum of the first `Count` stages, from left to right.
    template <std::size_t Count>
    [[nodiscard]] static double weighted(stages const& k, double const* weights, std::size_t d) noexcept {
        double sum = 0;
        for (std::size_t i = 0; i < Count; ++i)
            if (weights[i] != 0) sum += weights[i] * k[i][d];
        return sum;
    }

    void finish_step(particle<Method>& p, stages& k) {
        if constexpr (Method::adaptive) {
            if (!is_good_enough(p, k)) return;
        }
        double square = 0;
        for (std::size_t d = 0; d < 3; ++d) {
            double const next = p.place[d] + p.step * weighted<Method::stages>(k, Method::b, d);
            double const moved = next - p.place[d];
            square += moved * moved;
            p.place[d] = next;
        }
        p.path += std::sqrt(square);
        ++p.steps;
        if constexpr (Method::adaptive) {
            p.time += p.step;
            p.step = next_step_;
            double const left = rule_.duration - std::abs(p.time - rule_.start_time);
            if (std::abs(p.step) > left) p.step = std::copysign(std::max(left, 0.0), p.step);
            k[0] = k[Method::stages - 1];
            p.stage = 1;
            if (lines_ != nullptr) keep(p, k[0]);
        } else {
            p.time = rule_.start_time + static_cast<double>(p.steps) * p.step;
            p.stage = 0;
        }
    }

    /// Returns true if the error of a step is acceptable; sets the next step, or shortens this one.
    [[nodiscard]] bool is_good_enough(particle<Method>& p, stages const& k) {
        double square = 0;
        for (std::size_t d = 0; d < 3; ++d) {
            double const off = p.step * weighted<Method::stages>(k, Method::error, d);
            square += off * off;
        }
        double const ratio = std::sqrt(square) / rule_.tolerance;
        double const factor = std::clamp(0.9 * std::pow(ratio, -0.2), 0.2, 5.0);
        double const length = std::clamp(std::abs(p.step) * factor, rule_.min_step, rule_.max_step);
        next_step_ = std::copysign(length, p.step);
        if (ratio <= 1 || std::abs(p.step) <= rule_.min_step) return true;
        p.step = next_step_;
        p.stage = 1;
        return false;
    }

    /// Halves a step that would leave the field, and returns true if it is to be tried again: an rk45
    /// particle approaches the boundary to within the least step.
    [[nodiscard]] bool try_shorter([[maybe_unused]] particle<Method>& p) const noexcept {
        if constexpr (Method::adaptive) {
            if (p.stage == 0 || std::abs(p.step) <= rule_.min_step) return false;
            p.step = std::copysign(std::max(std::abs(p.step) / 2, rule_.min_step), p.step);
            p.stage = 1;
            return true;
        } else {
            return false;
        }
    }

    void keep(particle<Method> const& p, vector3 const& v) {
        lines_->keep(p.steps, p.place, std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }

    flow_cursor cursor_;
    trace_rule rule_;
    line_store* lines_;
    vector3 wanted_{};
    double next_step_ = 0;
};

} // namespace weft
