"""From a submission to a verdict. Everything here is trusted; student code runs in `sandbox`."""
