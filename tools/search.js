// SPDX-License-Identifier: BSD-3-Clause
// The search box of the book. It reads search-index.js, which is loaded when the box is first used, so that it works from
// a disk as well. Without JavaScript the box is not there. A page opened with ?search=WORDS begins with that search.
(function () {
  "use strict";
  var root = document.currentScript.getAttribute("src").replace(/search\.js$/, "");
  var order = { "function": 0, type: 1, chapter: 2, constant: 3, heading: 4, file: 5 };
  var shown = 30;

  function start() {
    var nav = document.querySelector("nav.book");
    if (!nav) return;
    var form = document.createElement("form");
    form.className = "search";
    form.setAttribute("role", "search");
    form.innerHTML = '<input type="search" placeholder="Search" aria-label="Search chapters, headings, functions and files" ' +
      'autocomplete="off" autocapitalize="off" spellcheck="false"><ol hidden></ol>';
    nav.insertBefore(form, nav.children[1]);
    var box = form.firstChild, list = form.lastChild, chosen = -1, loading = false;

    function load() {
      if (window.cadastreIndex || loading) return;
      loading = true;
      var script = document.createElement("script");
      script.src = root + "search-index.js";
      script.onload = show;
      script.onerror = function () { list.hidden = false; list.textContent = "The index of the book is missing."; };
      document.head.appendChild(script);
    }

    // How well a row suits the words: lower is better, -1 is not at all.
    function rank(row, words) {
      var name = row[0].toLowerCase(), all = name + " " + row[3].toLowerCase(), sum = order[row[1]];
      for (var i = 0; i < words.length; i++) {
        var at = name.indexOf(words[i]);
        if (all.indexOf(words[i]) < 0) return -1;
        if (name === words[i]) sum -= 30;
        else if (at === 0) sum += 0;
        else if (at > 0 && /[^a-z0-9]/.test(name[at - 1])) sum += /[^a-z0-9]|^$/.test(name.charAt(at + words[i].length)) ? 1 : 3;
        else if (at > 0) sum += 8;
        else sum += 20;
      }
      return sum + 31 * words.length + name.length / 100;
    }

    function show() {
      var words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
      list.textContent = "";
      chosen = -1;
      list.hidden = !words.length || !window.cadastreIndex;
      if (list.hidden) return;
      var found = [];
      window.cadastreIndex.forEach(function (row) {
        var value = rank(row, words);
        if (value >= 0) found.push([value, row]);
      });
      found.sort(function (a, b) { return a[0] - b[0]; });
      found.slice(0, shown).forEach(function (pair) {
        var row = pair[1], item = document.createElement("li"), link = document.createElement("a");
        link.href = root + row[2];
        [["b", row[0]], ["i", row[1]], ["span", row[3]]].forEach(function (part) {
          var piece = document.createElement(part[0]);
          piece.textContent = part[1];
          link.appendChild(piece);
        });
        item.appendChild(link);
        list.appendChild(item);
      });
      if (!found.length || found.length > shown) {
        var last = document.createElement("li");
        last.className = "last";
        last.textContent = found.length ? "and " + (found.length - shown) + " more: add a word" : "Nothing is found.";
        list.appendChild(last);
      }
    }

    function choose(step) {
      var links = list.querySelectorAll("a");
      if (!links.length) return;
      if (chosen >= 0) links[chosen].classList.remove("chosen");
      chosen = (chosen + step + links.length) % links.length;
      links[chosen].classList.add("chosen");
      links[chosen].scrollIntoView({ block: "nearest" });
    }

    box.addEventListener("focus", load);
    box.addEventListener("input", function () { load(); show(); });
    box.addEventListener("keydown", function (event) {
      if (event.key === "ArrowDown") { choose(chosen < 0 ? 1 : 1); event.preventDefault(); }
      else if (event.key === "ArrowUp") { choose(chosen < 0 ? 0 : -1); event.preventDefault(); }
      else if (event.key === "Escape") { box.value = ""; show(); box.blur(); }
    });
    form.addEventListener("submit", function (event) {
      event.preventDefault();
      var link = list.querySelectorAll("a")[Math.max(chosen, 0)];
      if (link) { list.hidden = true; location.href = link.href; }
    });
    document.addEventListener("click", function (event) { if (!form.contains(event.target)) list.hidden = true; });
    list.addEventListener("click", function () { list.hidden = true; });
    document.addEventListener("keydown", function (event) {
      if (event.key === "/" && !/^(input|textarea|select)$/i.test(event.target.tagName) && !event.ctrlKey && !event.metaKey && !event.altKey) {
        box.focus();
        event.preventDefault();
      }
    });
    var asked = /[?&]search=([^&]*)/.exec(location.search);
    if (asked) {
      box.value = decodeURIComponent(asked[1].replace(/\+/g, " "));
      load();
    }
  }

  start();
})();
