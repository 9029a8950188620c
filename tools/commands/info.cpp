#include "command.hpp"
#include "graph_questions.hpp"
#include "report/machine_report.hpp"

#include <machine/stored_choices.hpp>
#include <weft/core/settings.hpp>
#include <weft/mailbox/mailbox.hpp>

#include <fmt/format.h>

#include <cstdio>

namespace weft::tool {

namespace {

class info_command final : public command {
public:
    explicit info_command(CLI::App& app) {
        parser_ = app.add_subcommand(
            "info", "Show MPI, ranks, nodes, the model of the machine, and every knob with its value");
        common_.add_output_to(*parser_);
    }

    void run(environment const& env) override {
        communicator const comm = env.world();
        auto report = make_report("info", comm);
        auto& result = report["result"];
        result["mpi"] = mpi_library();
        auto& nodes = result["ranks_of_node"] = nlohmann::ordered_json::array();
        for (int node = 0; node < comm.topology().node_count(); ++node) {
            auto const ranks = comm.topology().ranks_of(node);
            nodes.push_back(std::vector<int>(ranks.begin(), ranks.end()));
        }
        mailbox const mail(comm);
        result["mailbox"] = {{"route", name_of(mail.route())}, {"shared_memory", mail.shares_memory()},
            {"why_not", mail.why_not_shared()}};
        auto& table = result["knobs"] = nlohmann::ordered_json::array();
        settings const defaults;
        for (knob const& row : knobs())
            table.push_back({{"name", row.name}, {"type", row.type}, {"default", row.show(defaults)},
                {"value", row.show(comm.settings())}, {"explanation", row.explanation}});
        auto& questions = result["graph_questions"] = nlohmann::ordered_json::array();
        for (graph_question const& each : graph_questions()) {
            questions.push_back({{"name", each.name}, {"about", each.about}, {"function", each.function},
                {"in_python", each.in_python}, {"examples", nlohmann::ordered_json::array()}});
            for (std::string_view const line : each.examples)
                if (!line.empty()) questions.back()["examples"].push_back(line);
        }
        result["stored_choices"] = choices_of(comm).size();
        result["machine"] = machine_as_json(comm.machine());
        write_report(comm, report, common_.json);
        if (comm.rank() == 0 && common_.shows_table()) print(report, comm.machine());
    }

private:
    static void print(nlohmann::ordered_json const& report, machine_model const& machine) {
        auto const& result = report["result"];
        std::string table = table_head(report, report["version"].get<std::string>());
        table += table_row("MPI", result["mpi"].get<std::string>());
        constexpr std::size_t most = 8;
        std::size_t node = 0;
        for (auto const& ranks : result["ranks_of_node"]) {
            if (node == most) {
                table +=
                    table_row("", fmt::format("and {} nodes more", result["ranks_of_node"].size() - most));
                break;
            }
            std::string list;
            for (std::size_t i = 0; i < ranks.size() && i < 16; ++i)
                list += (i == 0 ? "" : " ") + std::to_string(ranks[i].get<int>());
            if (ranks.size() > 16) list += fmt::format(" ... ({} ranks)", ranks.size());
            table += table_row(fmt::format("node {}", node++), "ranks " + list);
        }
        auto const& mail = result["mailbox"];
        table += table_row(
            "mailbox", fmt::format("route {}; inside nodes {}", mail["route"].get<std::string>(),
                           mail["shared_memory"].get<bool>()
                               ? "through shared memory"
                               : fmt::format("through MPI ({})", mail["why_not"].get<std::string>())));
        auto const choices = result["stored_choices"].get<std::int64_t>();
        table += table_row("choices", choices == 0 ? std::string("no protocol is stored beside the model")
                                                   : fmt::format("{} stored beside the model", choices));
        table += machine_as_text(machine);
        table += "\n  knobs, set by environment variables; what differs from its default is marked *\n\n";
        for (auto const& row : result["knobs"]) {
            auto const text = [&](char const* field) { return row[field].get<std::string>(); };
            auto const shown = [](std::string const& value) {
                return value.empty() ? std::string("(none)") : value;
            };
            table += fmt::format("{} {:<20} {:<14} {}\n{:<23}{} (default {})\n",
                text("value") == text("default") ? ' ' : '*', text("name"), shown(text("value")),
                text("explanation"), "", text("type"), shown(text("default")));
        }
        table += "\n";
        tool::print(table);
    }

    common_options common_;
};

} // namespace

std::unique_ptr<command> make_info(CLI::App& app) {
    return std::make_unique<info_command>(app);
}

} // namespace weft::tool
