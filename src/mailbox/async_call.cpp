#include <weft/detail/core/hash.hpp>
#include <weft/detail/mailbox/async_call.hpp>

#include <weft/mailbox/mailbox.hpp>

#include <bit>
#include <string>
#include <string_view>
#include <vector>

namespace weft::detail {

namespace {

/// The functions that calls may name, by their number. Filled before `main`, read only afterwards, so it is
/// no state (law 5); a table with open addressing, because it is asked for every call.
class call_table {
public:
    void add(std::uint32_t number, std::string_view name, call_runner run) {
        if (row* const known = find(number); known != nullptr && known->run != nullptr) {
            if (known->run != run) known->is_ambiguous = true; // one name in two files, or two with one hash
            return;
        }
        if (2 * ++size_ > rows_.size()) grow();
        *find(number) = {number, run, false, name};
    }
    struct row {
        std::uint32_t number = 0;
        call_runner run = nullptr; // null: a free row
        bool is_ambiguous = false;
        std::string_view name = {};
    };
    /// The row of a number, or the free one where it belongs; null in an empty table.
    [[nodiscard]] row* find(std::uint32_t number) noexcept {
        if (rows_.empty()) return nullptr;
        std::size_t const mask = rows_.size() - 1;
        std::size_t place = (number >> std::bit_width(call_length_bits)) & mask;
        while (rows_[place].run != nullptr && rows_[place].number != number) place = (place + 1) & mask;
        return &rows_[place];
    }

private:
    void grow() {
        std::vector<row> const old = std::move(rows_);
        rows_.assign(old.empty() ? 16 : 2 * old.size(), row{});
        for (row const& each : old)
            if (each.run != nullptr) *find(each.number) = each;
    }

    std::vector<row> rows_;
    std::size_t size_ = 0;
};

call_table& table() {
    static call_table made;
    return made;
}

[[noreturn]] void refuse(call_table::row const* row) {
    if (row == nullptr || row->run == nullptr)
        throw usage_error("mailbox: async: a function that this rank does not have; all ranks must run the "
                          "same program");
    throw usage_error("mailbox: async: two functions have the same name " + std::string(row->name) +
                      "; give one of them another");
}

} // namespace

std::uint32_t register_call(std::type_info const& type, std::size_t room, call_runner run) noexcept {
    std::string_view const name = type.name();
    std::uint64_t const hash = fnv_hash().add(name).value();
    auto const number = (static_cast<std::uint32_t>(hash ^ (hash >> 32)) & ~call_length_bits) |
                        static_cast<std::uint32_t>(room / 8);
    table().add(number, name, run);
    return number;
}

call_runner find_call(std::uint32_t number) {
    call_table::row const* const row = table().find(number);
    if (row == nullptr || row->run == nullptr || row->is_ambiguous) refuse(row);
    return row->run;
}

std::int64_t call_receiver::handle(int, std::span<std::byte const> run) {
    std::uint32_t known = 0;
    call_runner runner = nullptr;
    return for_calls(run, [&](std::uint32_t number, std::span<std::byte const> arguments) {
        if (runner == nullptr || number != known) runner = find_call(known = number);
        runner(mail_, arguments);
    });
}

void call_receiver::handle_long(int source, std::span<std::byte const> message) {
    handle(source, message);
}

std::int64_t call_receiver::count(std::span<std::byte const> run) const noexcept {
    return for_calls(run, [](std::uint32_t, std::span<std::byte const>) {});
}

void send_call(mail_engine& mail, int channel, int destination, buffer& record) {
    std::uint64_t const arguments = record.size() - long_call_head;
    std::memcpy(record.data() + long_call_head - sizeof arguments, &arguments, sizeof arguments);
    record.resize(long_call_room(arguments));
    if (record.size() > mail.longest_item()) {
        mail.send_long(destination, channel, record.bytes());
        return;
    }
    std::byte* const to =
        mail.room(static_cast<std::size_t>(destination), mail.key_of(channel), record.size());
    std::memcpy(to, record.data(), record.size());
    mail.cursor_at(static_cast<std::size_t>(destination)).next += record.size();
}

} // namespace weft::detail
