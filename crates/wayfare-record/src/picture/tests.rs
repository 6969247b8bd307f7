//! What is where in a picture.
