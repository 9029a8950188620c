#include "graph_command.hpp"
#include "graph_questions.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::tool {

namespace {

/// A question as it is asked: `bfs:1,target=5`, by the words of its command.
struct question {
    std::string text;
    std::unique_ptr<CLI::App> parser; // which the command refers to
    std::unique_ptr<command> asked;

    [[nodiscard]] graph_command& about() const { return static_cast<graph_command&>(*asked); }
};

/// Its entries are those of a matrix, which a graph does not keep.
constexpr std::string_view about_matrices = "spmv";

std::string names_of_questions() {
    std::string names;
    for (graph_question const& each : graph_questions())
        if (each.name != about_matrices) names.append(names.empty() ? "" : ", ").append(each.name);
    return names;
}

[[noreturn]] void refuse(std::string const& question, std::string const& why) {
    throw CLI::ValidationError(question, why);
}

/// An option within a question, with the dashes that its command expects.
std::string word_of(std::string const& question, std::string const& option) {
    static constexpr std::array of_all{
        "json", "quiet", "progress", "format", "columns", "header", "delimiter", "decimal", "help"};
    std::string const name = option.substr(0, option.find('='));
    if (std::ranges::find(of_all, name) != of_all.end())
        refuse(question, "--" + name + " is an option of weft graph, not of a question");
    if (name.empty())
        refuse(question, "expected an option between commas, as in pagerank,damping=0.9, found none");
    if (option == name + "=-") refuse(question, "expected the name of a file for --" + name + ", found -");
    return "--" + option;
}

question read_question(std::string const& text, std::string const& graph, std::uint64_t seed) {
    std::size_t const name_end = text.find_first_of(":,");
    std::string const name = text.substr(0, name_end);
    auto const row = std::ranges::find(graph_questions(), name, &graph_question::name);
    if (row == graph_questions().end() || name == about_matrices)
        refuse(text, "expected one of " + names_of_questions() + ", found \"" + name + '"');
    std::vector<std::string> words{name, graph, "--seed=" + std::to_string(seed)};
    std::string rest = name_end == text.npos ? "" : text.substr(name_end);
    if (rest.starts_with(':')) {
        std::size_t const end = std::min(rest.find(','), rest.size());
        words.push_back("--source=" + rest.substr(1, end - 1));
        rest.erase(0, end);
    }
    if (!rest.empty()) {
        std::istringstream options(rest.substr(1) + ',');
        for (std::string option; std::getline(options, option, ',');) words.push_back(word_of(text, option));
    }
    question made{text, std::make_unique<CLI::App>(), nullptr};
    made.asked = row->make(*made.parser);
    std::ranges::reverse(words);
    try {
        made.parser->parse(std::move(words));
    } catch (CLI::ParseError const& wrong) { refuse(text, wrong.what()); }
    return made;
}

/// Reads a graph once, and answers questions about it one after the other.
class several_questions_command final : public reporting_command {
public:
    explicit several_questions_command(CLI::App& app)
        : reporting_command(app, "graph", "Compute several results for one graph, which is read only once") {
        graph_.add_to(*parser_, "GRAPH");
        parser_
            ->add_option("QUESTION", texts_,
                "NAME[:SOURCE][,OPTION[=VALUE]...]: the name of a graph command, for bfs and sssp the vertex "
                "to start from, and options of that command without their dashes")
            ->required();
        common_.add_to(*parser_);
        parser_->footer("NAME is one of " + names_of_questions() +
                        ". Work that several questions share, such as numbering the vertices, is done once. "
                        "In the report, `questions` contains the options, the result and the seconds of each "
                        "question; the result is the same as in the report of the command NAME. Values of "
                        "options cannot contain commas.\n");
        parser_->callback([this] {
            for (std::string const& each : texts_)
                questions_.push_back(read_question(each, graph_.graph, common_.seed));
        });
    }

private:
    void compute(session const& now) override {
        auto values = edge_values::none;
        for (question const& each : questions_) values = std::max(values, each.about().values());
        if (auto built = load_built_graph(now, graph_, values, common_))
            return answer(built->made, built->description.weighted, now);
        edge_list edges = load_edges(now, graph_, values, common_);
        bool const weighted = edges.weighted;
        now.progress.phase("numbering the vertices");
        graph shared(now.comm, std::move(edges));
        now.watch.lap("build");
        answer(shared, weighted, now);
    }

    void answer(graph& shared, bool weighted, session const& now) {
        now.report["options"]["questions"] = texts_;
        auto& all = now.report["result"]["questions"] = nlohmann::ordered_json::array();
        for (question const& each : questions_) {
            nlohmann::ordered_json answered{{"question", each.text},
                {"command", each.asked->parser().get_name()}, {"input", now.report["input"]},
                {"options", nlohmann::ordered_json::object()}, {"result", nlohmann::ordered_json::object()}};
            stopwatch watch(now.comm);
            asked_graph asked(shared, weighted);
            each.about().compute(asked, {now.comm, now.progress, watch, answered});
            answered["seconds"] = watch.seconds();
            answered.erase("input");
            all.push_back(std::move(answered));
        }
        now.watch.lap("compute");
    }

    [[nodiscard]] std::string subject(nlohmann::ordered_json const&) const override {
        return graph_.short_name();
    }

    [[nodiscard]] std::string describe(nlohmann::ordered_json const& report) const override {
        std::string text = table_row("format", report["input"]["format"].get<std::string>());
        for (std::size_t i = 0; i < questions_.size(); ++i)
            text += "\n  " + questions_[i].text + '\n' +
                    questions_[i].about().rows(report["result"]["questions"][i]);
        return text;
    }

    graph_argument graph_;
    std::vector<std::string> texts_;
    std::vector<question> questions_;
};

} // namespace

std::unique_ptr<command> make_graph(CLI::App& app) {
    return std::make_unique<several_questions_command>(app);
}

} // namespace weft::tool
