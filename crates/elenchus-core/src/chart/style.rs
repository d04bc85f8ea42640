//! How charts look: the only place with colours.

/// Style rules for every chart, for a style sheet or a `<style>` element. Pages may give the variables other values.
/// Each colour has a contrast of at least 3 to 1 to a white or an almost black ground.
pub const STYLE: &str = "\
:root{--chart-1:#1c5d99;--chart-2:#b3541e;--chart-3:#2d7d46;--chart-4:#8a3b8f;--chart-5:#6b6b00;--chart-6:#5a5a5a;\
--chart-line:#767676;--chart-faint:#d9d9d9}\
@media (prefers-color-scheme:dark){:root{--chart-1:#7db8e8;--chart-2:#f0a36b;--chart-3:#7fce97;--chart-4:#d79be0;\
--chart-5:#d3d36b;--chart-6:#bdbdbd;--chart-line:#9a9a9a;--chart-faint:#4a4a4a}}\
@media print{:root{--chart-1:#1c5d99;--chart-2:#b3541e;--chart-3:#2d7d46;--chart-4:#8a3b8f;--chart-5:#6b6b00;\
--chart-6:#5a5a5a;--chart-line:#767676;--chart-faint:#d9d9d9}}\
@media (forced-colors:active){:root{--chart-1:CanvasText;--chart-2:CanvasText;--chart-3:CanvasText;\
--chart-4:CanvasText;--chart-5:CanvasText;--chart-6:CanvasText;--chart-line:CanvasText;--chart-faint:GrayText}}\
figure.chart{margin:1rem 0;max-width:34rem;break-inside:avoid}\
svg.plot{display:block;width:100%;height:auto;color:inherit;font-family:inherit}\
svg.spark{display:inline-block;width:6rem;height:1.5rem;vertical-align:middle}\
.plot .s1,.plot .m1{stroke:var(--chart-1)}.plot .s2,.plot .m2{stroke:var(--chart-2)}.plot .s3,.plot .m3{stroke:var(--chart-3)}\
.plot .s4,.plot .m4{stroke:var(--chart-4)}.plot .s5,.plot .m5{stroke:var(--chart-5)}.plot .s6,.plot .m6{stroke:var(--chart-6)}\
.plot .f1,.plot .m1{fill:var(--chart-1)}.plot .f2,.plot .m2{fill:var(--chart-2)}.plot .f3,.plot .m3{fill:var(--chart-3)}\
.plot .f4,.plot .m4{fill:var(--chart-4)}.plot .f5,.plot .m5{fill:var(--chart-5)}.plot .f6,.plot .m6{fill:var(--chart-6)}\
.plot .axis{stroke:var(--chart-line)}.plot .grid{stroke:var(--chart-faint)}.plot .track{fill:var(--chart-faint)}\
.plot a:focus-visible *{stroke-width:3}\
figure.chart figcaption{font-size:.9rem}figure.chart .scroll{overflow-x:auto}\
figure.chart table{border-collapse:collapse;font-size:.9rem}\
figure.chart th,figure.chart td{border:1px solid var(--chart-line);padding:.15rem .4rem;text-align:start;\
font-weight:inherit;vertical-align:top}\
figure.chart thead th{font-weight:600}";
