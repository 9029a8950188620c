/// Things that take longer to make than to use, kept for the next time. Private.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <utility>

namespace weft {

/// Up to four of them; a new one takes the place of the oldest.
template <class T>
class last_few {
public:
    /// Takes out the first that `fits`; `make` makes one where no one does. It comes back by `keep`, and does
    /// not where its use throws: its messages may still be under way.
    template <class Fits, class Make>
    [[nodiscard]] std::unique_ptr<T> take(Fits&& fits, Make&& make) {
        for (std::unique_ptr<T>& each : kept_)
            if (each && fits(*each)) return std::move(each);
        return make();
    }
    void keep(std::unique_ptr<T> used) noexcept {
        for (std::unique_ptr<T>& each : kept_)
            if (!each) {
                each = std::move(used);
                return;
            }
        kept_[oldest_] = std::move(used);
        oldest_ = (oldest_ + 1) % kept_.size();
    }

private:
    std::array<std::unique_ptr<T>, 4> kept_;
    std::size_t oldest_ = 0;
};

} // namespace weft
