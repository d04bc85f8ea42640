//! Fallacies: a catalog, high-precision patterns and a linear model. Findings are warnings, not verdicts.
