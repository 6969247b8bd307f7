//! `page-tools bind MODULE FOLDER NAME` writes a module for a page with the JavaScript that loads
//! it. `page-tools book SOURCE FOLDER` makes the pages of a book.

use std::error::Error;
use std::path::Path;

use mdbook_driver::MDBook;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["bind", module, folder, name] => {
            let mut bind = Bindgen::new();
            bind.input_path(module).web(true)?.typescript(false).omit_default_module_path(false);
            bind.out_name(name);
            Ok(bind.generate(folder)?)
        }
        ["book", source, folder] => {
            let mut book = MDBook::load(source)?;
            book.config.build.build_dir = Path::new(folder).into();
            Ok(book.build()?)
        }
        _ => Err("the commands are `bind MODULE FOLDER NAME` and `book SOURCE FOLDER`".into()),
    }
}
