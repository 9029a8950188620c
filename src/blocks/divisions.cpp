#include "divisions.hpp"

#include <weft/core/error.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace weft {

namespace {

std::vector<std::int64_t> divisors_descending(std::int64_t number) {
    std::vector<std::int64_t> divisors{1};
    for (std::int64_t prime = 2; number > 1; ++prime) {
        if (prime * prime > number) prime = number;
        std::size_t const before = divisors.size();
        for (std::int64_t power = prime; number % prime == 0; power *= prime) {
            number /= prime;
            for (std::size_t i = 0; i < before; ++i) divisors.push_back(divisors[i] * power);
        }
    }
    std::sort(divisors.rbegin(), divisors.rend());
    return divisors;
}

/// Tries all divisions, the first dimension outermost, and skips those that cannot become the best.
class division_search {
public:
    division_search(std::int64_t free_blocks, int dimensions, coordinates<divisible> const& along)
        : along_(along),
          dimensions_(static_cast<std::size_t>(dimensions)),
          divisors_(divisors_descending(free_blocks)) {
        current_.fill(1);
    }

    /// Returns true if there is a division.
    [[nodiscard]] bool run(std::int64_t free_blocks) {
        descend(0, free_blocks, 0);
        return least_ < std::numeric_limits<double>::infinity();
    }
    [[nodiscard]] coordinates<std::int64_t> const& best() const noexcept { return best_; }

private:
    /// At a given volume, the surface of a block is proportional to the sum of the inverse lengths of its
    /// edges, that is of blocks / extent. A dimension without extent has no edges.
    [[nodiscard]] double inverse_edge(std::size_t d) const noexcept {
        return along_[d].extent > 0 ? static_cast<double>(current_[d]) / along_[d].extent : 0;
    }
    void descend(std::size_t d, std::int64_t left, double surface) {
        // A surface that differs only by rounding is no improvement, so the first division is kept.
        if (surface >= least_ * (1 - 1e-12)) return;
        if (d == dimensions_) {
            if (left != 1) return;
            least_ = surface;
            best_ = current_;
            return;
        }
        if (along_[d].given > 0) {
            current_[d] = along_[d].given;
            descend(d + 1, left, surface + inverse_edge(d));
            return;
        }
        for (std::int64_t const divisor : divisors_) {
            if (divisor > along_[d].most || left % divisor != 0) continue;
            current_[d] = divisor;
            descend(d + 1, left / divisor, surface + inverse_edge(d));
        }
    }

    coordinates<divisible> const& along_;
    std::size_t dimensions_;
    std::vector<std::int64_t> divisors_;
    coordinates<std::int64_t> current_;
    coordinates<std::int64_t> best_{};
    double least_ = std::numeric_limits<double>::infinity();
};

} // namespace

coordinates<std::int64_t> choose_divisions(
    std::int64_t blocks, int dimensions, coordinates<divisible> const& along) {
    std::int64_t free_blocks = blocks;
    std::string given;
    std::string most;
    for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
        divisible const& here = along[d];
        if (here.given > here.most)
            throw usage_error("regular_grid: " + std::to_string(here.given) + " divisions along dimension " +
                              std::to_string(d) + " leave blocks without content; at most " +
                              std::to_string(here.most) + " are possible");
        given += (d > 0 ? ", " : "") + std::to_string(here.given);
        most += (d > 0 ? ", " : "") + std::to_string(here.most);
        if (here.given > 0 && free_blocks % here.given != 0)
            throw usage_error("regular_grid: " + std::to_string(blocks) +
                              " blocks are no multiple of the given divisions; change the " +
                              std::to_string(here.given) + " along dimension " + std::to_string(d));
        if (here.given > 0) free_blocks /= here.given;
    }
    division_search search(free_blocks, dimensions, along);
    if (!search.run(free_blocks))
        throw usage_error("regular_grid: " + std::to_string(blocks) +
                          " blocks are not a product of divisions (" + given + ", 0 is free) of at most (" +
                          most + "); use a number of blocks with smaller factors, or other divisions");
    return search.best();
}

} // namespace weft
