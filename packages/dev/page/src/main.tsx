import { options, render } from "preact";
import { App } from "./app.tsx";
import { connectEvents } from "./client/events.ts";

// Events come in bursts: what they change is drawn once a frame.
options.debounceRendering = (draw) => {
  // A hidden page has no frames.
  if (document.hidden) setTimeout(draw, 100);
  else requestAnimationFrame(draw);
};

const place = document.getElementById("app");
if (place !== null) render(<App />, place);
connectEvents();
