/// Fields given by formulas, for which the right answer is known.
#pragma once

#include <tracing/flow.hpp>

#include <cstring>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace weft_test {

/// A field with float64 values of a function of place and time at the points of given axes.
class formula_flow final : public weft::flow {
public:
    using formula = std::function<weft::vector3(weft::vector3 const& at, double time)>;

    formula_flow(std::vector<double> x, std::vector<double> y, std::vector<double> z, formula of,
        std::vector<double> times = {0}, weft::vector3 const& period = {})
        : domain_(std::make_shared<weft::flow_domain const>(weft::flow_domain{
              {weft::flow_axis(std::move(x)), weft::flow_axis(std::move(y)), weft::flow_axis(std::move(z))},
              weft::flow_axis(std::move(times)), period})),
          of_(std::move(of)) {}

    [[nodiscard]] std::shared_ptr<weft::flow_domain const> const& domain() const noexcept override {
        return domain_;
    }
    [[nodiscard]] weft::field_block read(
        weft::box<std::int64_t> const& points, weft::regular_grid<std::int64_t> const&) const override {
        std::vector<std::vector<std::byte>> steps;
        for (double const time : domain_->times.points()) {
            std::vector<double> values;
            for (std::int64_t z = points.lo[2]; z < points.hi[2]; ++z)
                for (std::int64_t y = points.lo[1]; y < points.hi[1]; ++y)
                    for (std::int64_t x = points.lo[0]; x < points.hi[0]; ++x) {
                        weft::vector3 const v = of_({along(0, x), along(1, y), along(2, z)}, time);
                        values.insert(values.end(), v.begin(), v.end());
                    }
            steps.emplace_back(values.size() * sizeof(double));
            std::memcpy(steps.back().data(), values.data(), steps.back().size());
        }
        return {domain_, points, weft::value_type::float64, std::move(steps)};
    }
    /// Returns the whole field in one block.
    [[nodiscard]] weft::field_block whole() const {
        return read(domain_->points_around(domain_->cells()), cut_into(1));
    }

private:
    [[nodiscard]] double along(std::size_t d, std::int64_t point) const {
        return domain_->axes[d].points()[static_cast<std::size_t>(point)];
    }

    std::shared_ptr<weft::flow_domain const> domain_;
    formula of_;
};

/// Returns `count` points from lo to hi.
inline std::vector<double> even_points(double lo, double hi, int count) {
    std::vector<double> points;
    for (int i = 0; i < count; ++i) points.push_back(lo + (hi - lo) * i / (count - 1));
    return points;
}

/// A velocity that turns around the z axis once in a time of 2 pi, and moves up.
inline weft::vector3 helix(weft::vector3 const& at, double) {
    return {-at[1], at[0], 0.1};
}

} // namespace weft_test
