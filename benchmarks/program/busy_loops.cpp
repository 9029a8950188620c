#include "busy_loops.hpp"

#include <weft/exchange/exchange.hpp>
#include <weft/mailbox/mailbox.hpp>
#include <weft/protocol/collectives.hpp>

#include <random>
#include <utility>

namespace weft::tool {

namespace {

class sums final : public busy_loop {
public:
    explicit sums(communicator comm) : comm_(std::move(comm)) {}
    void run(std::int64_t rounds) override {
        for (std::int64_t i = 0; i < rounds; ++i) total_ += sum(comm_, i);
    }

private:
    communicator comm_;
    std::int64_t total_ = 0;
};

class small_exchanges final : public busy_loop {
public:
    explicit small_exchanges(communicator comm) : comm_(std::move(comm)) {}
    void run(std::int64_t rounds) override {
        for (std::int64_t i = 0; i < rounds; ++i) {
            outbox<std::int64_t> out(comm_);
            out[(comm_.rank() + 1) % comm_.size()].push_back(i);
            total_ += static_cast<std::int64_t>(exchange(std::move(out)).size());
        }
    }

private:
    communicator comm_;
    std::int64_t total_ = 0;
};

/// A round sends 10,000 words to random ranks and drains.
class counted_words final : public busy_loop {
public:
    explicit counted_words(communicator const& comm)
        : mail_(comm), words_(mail_.channel<std::uint64_t>([this](int, std::uint64_t const& word) {
              ++table_[word % table_.size()];
          })) {
        std::mt19937 next(static_cast<unsigned>(comm.rank()));
        for (int& each : destinations_) each = static_cast<int>(next() % static_cast<unsigned>(comm.size()));
    }
    void run(std::int64_t rounds) override {
        for (std::int64_t i = 0; i < rounds; ++i) {
            std::uint64_t word = 0;
            for (int const to : destinations_) words_.send(to, word += 7919);
            mail_.drain();
        }
    }

private:
    std::vector<std::uint64_t> table_ = std::vector<std::uint64_t>(1 << 12);
    std::vector<int> destinations_ = std::vector<int>(10'000);
    mailbox mail_;
    weft::channel<std::uint64_t> words_;
};

} // namespace

std::vector<std::string> const& busy_loop_names() {
    static std::vector<std::string> const names{"sum", "exchange", "mailbox"};
    return names;
}

std::unique_ptr<busy_loop> make_busy_loop(std::string const& name, communicator const& comm) {
    if (name == "sum") return std::make_unique<sums>(comm);
    if (name == "exchange") return std::make_unique<small_exchanges>(comm);
    return std::make_unique<counted_words>(comm);
}

} // namespace weft::tool
