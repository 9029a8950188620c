/// Captures errors of VTK, which it would print.
#pragma once

#include <vtkLogger.h>
#include <vtkNew.h>
#include <vtkOutputWindow.h>
#include <vtkSmartPointer.h>

#include <clocale>
#include <string>

namespace weft {

/// During its lifetime, keeps the first error or warning of VTK, and suppresses its output. Then restores the
/// locale of the process, which readers of VTK change.
class vtk_complaints {
public:
    vtk_complaints() : locale_(std::setlocale(LC_ALL, nullptr)), before_(vtkOutputWindow::GetInstance()) {
        vtkOutputWindow::SetInstance(window_);
        vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_OFF);
    }
    vtk_complaints(vtk_complaints const&) = delete;
    vtk_complaints& operator=(vtk_complaints const&) = delete;
    ~vtk_complaints() {
        vtkOutputWindow::SetInstance(before_);
        std::setlocale(LC_ALL, locale_.c_str());
    }

    [[nodiscard]] std::string const& first() const noexcept { return window_->first; }

private:
    class window : public vtkOutputWindow {
    public:
        static window* New() { return new window; }
        void DisplayText(char const*) override {}
        void DisplayErrorText(char const* text) override { keep(text); }
        // Some readers report missing values as a warning.
        void DisplayWarningText(char const* text) override { keep(text); }
        void DisplayGenericWarningText(char const* text) override { keep(text); }
        void keep(char const* text) {
            if (first.empty()) first = text;
        }
        std::string first;
    };

    std::string locale_;
    vtkSmartPointer<vtkOutputWindow> before_;
    vtkNew<window> window_;
};

/// Returns VTK's message in one line, without the place in VTK's sources.
inline std::string in_one_line(std::string text) {
    if (auto const start = text.find("): "); start != std::string::npos) text.erase(0, start + 3);
    if (text.starts_with("Generic Warning: In ")) // a source file of VTK, "line", a number
        if (auto const line = text.find(", line "); line != std::string::npos)
            text.erase(0, text.find_first_not_of("0123456789 \n", line + 7));
    for (char& each : text)
        if (each == '\n') each = ' ';
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return text;
}

} // namespace weft
