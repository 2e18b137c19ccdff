// The list of the kept analyses, newest first, below the form of #analyse. Elements: #trees, li[data-tree].

import {connection} from "../shared/connection.js";
import {button, h, put} from "../shared/dom.js";
import {number, t} from "../shared/language.js";
import {confirmed, tell} from "../shared/telling.js";

/** Add the list to a part of the page, once the server has sent it. */
export async function treeList(holder) {
  const list = h("ul", {id: "trees", class: "plain-list"});
  const box = h("section", {class: "panel rooms", hidden: true, "aria-labelledby": "trees-heading"},
    h("h2", {id: "trees-heading"}, t("Your analyses")), list);
  holder.append(box);
  const show = async (forget = "") => {
    try {
      const {trees} = await connection.ask({type: "list_trees", forget});
      box.hidden = !trees.length;
      put(list, trees.map((tree) => h("li", {data: {tree: tree.tree}}, h("a", {href: `#analyse/${tree.tree}`},
        h("b", {}, connection.title(tree.env)), h("span", {}, tree.names.join(" – ")), h("small", {}, t("moves: {n}", {n: number(tree.moves)}))),
      button("bin", t("Delete this analysis"), () => remove(tree), {short: true, class: "plain"}))));
    } catch (error) {
      tell(error);
    }
  };
  const remove = async (tree) => {
    if (await confirmed(t("Delete this analysis?"), t("Delete"))) show(tree.tree);
  };
  show();
}
