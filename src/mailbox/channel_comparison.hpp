/// Finds the channel that is not the same on all ranks. Private.
#pragma once

#include "channel_list.hpp"

#include <weft/protocol/agreement.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// Runs after a wave has shown that the fingerprints of the channels differ: rank 0 sends all ranks its list
/// of channels, and the lowest rank with another list reports the first difference. So the error has the same
/// text on all ranks, and ranks that agree only pay for the comparison of two numbers.
class channel_comparison final : public engine {
public:
    channel_comparison(transport& via, int control_tag, channel_list const& channels);

    [[nodiscard]] progress step() override;
    /// As `census::let_go`.
    [[nodiscard]] bool let_go();
    void describe_wait(std::string& into) const override;
    /// To be called when done: throws the `usage_error` that names the channel, its types and ranks.
    void rethrow() const { verdict_->rethrow(); }

private:
    [[nodiscard]] std::exception_ptr compare(std::string_view with) const;

    transport& via_;
    int tag_;
    std::vector<std::string> mine_; // a line for each channel
    agreement lists_;
    std::optional<agreement> verdict_;
};

} // namespace weft
