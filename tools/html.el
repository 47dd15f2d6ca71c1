;;; html.el --- print chapters as HTML  -*- lexical-binding: t -*-
;; SPDX-License-Identifier: BSD-3-Clause

;; Run by tools/html as: emacs --batch -Q -l html.el TREE CHAPTER...
;; Writes TREE/org/CHAPTER.html, which tools/html-pages completes. Each code block is headed by its name or the
;; file that it goes to, and references to chunks are links. Nothing is fetched
;; from elsewhere, and the same book gives the same bytes.

(load (expand-file-name "book.el" (file-name-directory load-file-name)) nil t)
(require 'ox-html)
(require 'subr-x)

(setq org-export-use-babel nil
      org-export-with-broken-links nil
      org-export-with-sub-superscripts '{}
      org-html-htmlize-output-type (unless (org-string-nw-p (getenv "CADASTRE_BOOK_PLAIN")) 'css)
      org-html-htmlize-font-prefix "org-"
      org-html-prefer-user-labels nil
      org-html-doctype "html5"
      org-html-html5-fancy t
      org-html-head-include-default-style nil
      org-html-head-include-scripts nil
      org-html-mathjax-template ""
      org-html-postamble nil
      org-html-validation-link nil
      org-html-self-link-headlines t
      org-html-toplevel-hlevel 2
      org-html-head "<meta name=\"color-scheme\" content=\"light dark\">
<link rel=\"stylesheet\" href=\"book.css\">"
      org-html-preamble nil)

(defun html-slug (text)
  "TEXT as the name of a place in a page."
  (string-trim (replace-regexp-in-string "[^a-z0-9]+" "-" (downcase text)) "-" "-"))

;; Org draws the names of headings by lot; ours come from their text.
(defvar html-taken nil "The names given in this page, each with its element.")

(defun html-reference (datum info)
  (or (car (rassq datum html-taken))
      (let* ((title (org-element-property :raw-value datum))
             (given (org-element-property :name datum))
             (base (html-slug (or (org-element-property :CUSTOM_ID datum)
                                  title
                                  (concat (symbol-name (org-element-type datum)) (when given "-") given))))
             (name base)
             (number 1))
        (ignore info)
        (while (assoc name html-taken)
          (setq number (1+ number)
                name (format "%s-%d" base number)))
        (push (cons name datum) html-taken)
        name)))
(advice-add 'org-export-get-reference :override #'html-reference)

;; Org knows the places of another page only where it publishes a project; tools/check-links sees whether ours are there.
(advice-add 'org-publish-resolve-external-link :override
            (lambda (search &rest _) (html-slug (string-trim-left search "[*#]+"))))

(defun html-parameter (parameters name)
  "The value of NAME, such as :tangle, among the PARAMETERS of a block; it may be between quotation marks."
  (when (string-match (concat name " +\\(?:\"\\([^\"]+\\)\"\\|\\([^ ]+\\)\\)") parameters)
    (or (match-string 1 parameters) (match-string 2 parameters))))

(defvar html-chunks nil "The names of the chunks of this chapter.")

(defun html-chunk-names (info)
  "The names of all chunks of the chapter that INFO describes."
  (delq nil (org-element-map (plist-get info :parse-tree) 'src-block
              (lambda (block)
                (or (org-element-property :name block)
                    (html-parameter (or (org-element-property :parameters block) "") ":noweb-ref"))))))

(defun html-link-chunks (code)
  "Make the references to chunks in the printed CODE links. Two shifts look like one, and name no chunk."
  (replace-regexp-in-string
   "&lt;&lt;\\([^\n]+?\\)&gt;&gt;"
   (lambda (match)
     (let* ((reference (replace-regexp-in-string "<[^>]*>" "" (match-string 1 match)))
            (name (car (split-string reference "(")))
            (parts (when (string-match "\\`\\([^ :]+\\)\\.org:\\(.+\\)\\'" name)
                     (cons (concat (match-string 1 name) ".html") (match-string 2 name)))))
       (if (or parts (member name html-chunks))
           (format "<a class=\"chunk\" href=\"%s#chunk-%s\">⟨%s⟩</a>"
                   (or (car parts) "") (html-slug (or (cdr parts) name)) reference)
         match)))
   code t t))

(defun html-src-block (block contents info)
  "Print the source BLOCK under its name or its file."
  (unless html-chunks (setq html-chunks (html-chunk-names info)))
  (let* ((name (org-element-property :name block))
         (parameters (or (org-element-property :parameters block) ""))
         (chunk (or name (html-parameter parameters ":noweb-ref")))
         (file (html-parameter parameters ":tangle"))
         (title (cond (chunk (format "⟨%s⟩" chunk))
                      ((and file (not (equal file "no")))
                       (replace-regexp-in-string "\\`\\(\\.\\./\\)+" "" file))))
         ;; The name becomes the title; it is not to be an id a second time.
         (printed (progn
                    (org-element-put-property block :name nil)
                    ;; What looks like a link in code is one for the reader of that code.
                    (html-link-chunks (replace-regexp-in-string "</?a\\b[^>]*>" "" (org-html-src-block block contents info) t t)))))
    (if (null title)
        printed
      (format "<figure class=\"block\"%s>\n<figcaption>%s</figcaption>\n%s\n</figure>"
              (if (and chunk (not (assoc (concat "chunk-" (html-slug chunk)) html-taken)))
                  (progn (push (cons (concat "chunk-" (html-slug chunk)) block) html-taken)
                         (format " id=\"chunk-%s\"" (html-slug chunk)))
                "")
              (org-html-encode-plain-text title)
              printed))))

(defun html-plain-table (table contents info)
  "Print TABLE in a box that scrolls; a row that begins empty goes on with the one above."
  (format "<div class=\"table\">\n%s\n</div>"
          (replace-regexp-in-string "<tr>\\(\n<td[^>]*>&#xa0;</td>\\)" "<tr class=\"more\">\\1"
                                    (org-html-table table contents info))))

;; A table under #+attr_book: :picture KIND :says "..." is drawn, too, by graphviz. So the picture has no fact of its own, and
;; a table that a check reads is what one sees. KIND is arrows, of rows from, to and what the arrow says; steps, one below the
;; other, of rows whose last cell says what comes otherwise; locks, of rows whose last cell names what is held meanwhile; or
;; states, of rows whose last cell names what may come next.
;; Where there is no graphviz, the table stands alone.

(defun html-cells (table info)
  "The rows of TABLE below its first rule, each a list of texts."
  (let ((below nil))
    (delq nil
          (org-element-map table 'table-row
            (lambda (row)
              (if (eq (org-element-property :type row) 'rule)
                  (progn (setq below t) nil)
                (when below
                  (org-element-map row 'table-cell
                    (lambda (cell)
                      (string-trim (replace-regexp-in-string
                                    "<[^>]*>" "" (or (org-export-data (org-element-contents cell) info) ""))))))))
            info))))

(defun html-quoted (text &optional width)
  "TEXT as a string of graphviz, in lines of about WIDTH characters."
  (let ((lines (list "")))
    (dolist (word (split-string text))
      (if (and width (> (length (car lines)) 0) (> (+ (length (car lines)) (length word)) width))
          (push word lines)
        (setcar lines (if (equal (car lines) "") word (concat (car lines) " " word)))))
    (format "\"%s\"" (mapconcat (lambda (line) (string-replace "\"" "\\\"" (string-replace "\\" "\\\\" line)))
                               (nreverse lines) "\\n"))))

(defun html-arrows (rows)
  (mapconcat (lambda (row)
               (format "%s -> %s [label=%s];" (html-quoted (nth 0 row)) (html-quoted (nth 1 row)) (html-quoted (or (nth 2 row) "") 24)))
             rows "\n"))

(defun html-steps (rows)
  (let ((number 0))
    (mapconcat
     (lambda (row)
       (setq number (1+ number))
       (let ((otherwise (car (last row))))
         (concat (format "s%d [label=%s];" number (html-quoted (car row) 30))
                 (when (> number 1) (format " s%d -> s%d;" (1- number) number))
                 (unless (equal otherwise "")
                   (format " o%d [label=%s, style=dashed]; {rank=same; s%d -> o%d [style=dashed]}" number (html-quoted otherwise 26) number number)))))
     rows "\n")))

(defun html-locks (rows)
  (let ((names (mapcar #'car rows)))
    (mapconcat
     (lambda (row)
       (let ((held (car (last row))))
         (if (string-prefix-p "all but " held)
             (format "%s [label=%s];" (html-quoted (car row)) (html-quoted (format "%s (below %s)" (car row) held) 22))
           (concat (format "%s;" (html-quoted (car row)))
                   (mapconcat (lambda (name)
                                (if (string-match-p (format "\\_<%s\\_>" (regexp-quote name)) (car (split-string held ", \\(?:where\\|for\\)\\|:")))
                                    (format " %s -> %s;" (html-quoted name) (html-quoted (car row)))
                                  ""))
                              names "")))))
     rows "\n")))

(defun html-states (rows)
  (let ((names (mapcar #'car rows)))
    (mapconcat
     (lambda (row)
       (mapconcat (lambda (name)
                    (if (and (not (equal name (car row))) (string-match-p (format "\\_<%s\\_>" (regexp-quote name)) (car (last row))))
                        (format "%s -> %s;" (html-quoted (car row)) (html-quoted name))
                      ""))
                  names " "))
     rows "\n")))

(defun html-drawn (graph)
  "GRAPH as drawn by graphviz, or nil where that is not there. It has the colours of the page and no ids, which may be given once."
  (let ((dot (or (getenv "CADASTRE_BOOK_DOT") "dot")))
    (when (executable-find dot)
      (with-temp-buffer
        (insert graph)
        (let ((coding-system-for-read 'utf-8) (coding-system-for-write 'utf-8))
          (unless (eq 0 (call-process-region (point-min) (point-max) dot t '(t nil) nil "-Tsvg"))
            (error "graphviz refuses a picture")))
        (goto-char (point-min))
        (delete-region (point-min) (search-forward "<svg"))
        (insert "<svg")
        (let ((svg (buffer-string)))
          (dolist (change '(("<!--\\(?:.\\|\n\\)*?-->\n?" . "") ("<title>[^<]*</title>\n?" . "") (" id=\"[^\"]*\"" . "")
                            ("\"black\"" . "\"currentColor\"") ("<text \\(.*?\\)>" . "<text fill=\"currentColor\" \\1>")) svg)
            (setq svg (replace-regexp-in-string (car change) (cdr change) svg t)))
          ;; A narrow picture fits a small screen; a wide one scrolls there.
          (if (and (string-match "width=\"\\([0-9]+\\)pt\"" svg) (> (string-to-number (match-string 1 svg)) 400))
              (concat "<svg class=\"wide\"" (substring svg 4))
            svg))))))

(defun html-table (table contents info)
  "Print TABLE, and above it the picture that it is to have."
  (let* ((attributes (org-export-read-attribute :attr_book table))
         (kind (plist-get attributes :picture))
         (printed (html-plain-table table contents info))
         (draw (and kind (or (cdr (assoc kind '(("arrows" . html-arrows) ("steps" . html-steps) ("locks" . html-locks) ("states" . html-states))))
                             (error "there is no picture %s" kind))))
         (svg (and draw
                   (html-drawn (format "digraph { bgcolor=none; rankdir=TB; nodesep=0.3; ranksep=0.35;
node [shape=box, style=rounded, fontname=\"DejaVu Sans\", fontsize=11, height=0.3, margin=\"0.12,0.06\"];
edge [fontname=\"DejaVu Sans\", fontsize=9, arrowsize=0.7];\n%s\n}\n"
                                       (funcall draw (html-cells table info)))))))
    (if (null svg)
        printed
      (format "<figure class=\"picture\">\n<div class=\"drawing\" role=\"img\" aria-label=\"%s\">\n%s</div>
<details%s>\n<summary>the table</summary>\n%s\n</details>\n</figure>"
              (org-html-encode-plain-text (string-trim (or (plist-get attributes :says) "") "\"" "\"")) svg
              (if (equal kind "arrows") "" " open")    ; such a picture has all that the table has
              printed))))

(org-export-define-derived-backend 'book 'html
  :translate-alist '((src-block . html-src-block)
                     (table . html-table)))

(defun html-root (chapter)
  "The way from CHAPTER's page to the folder of the book."
  (apply #'concat (make-list (1- (length (split-string chapter "/"))) "../")))

(defun html-main ()
  (let ((tree (directory-file-name (file-truename (pop command-line-args-left))))
        (chapters command-line-args-left)
        (inhibit-message t)
        wrong)
    (setq command-line-args-left nil)
    (dolist (chapter chapters)
      (setq html-taken nil html-chunks nil)
      (condition-case failure
          (with-current-buffer (find-file-noselect (format "%s/org/%s.org" tree chapter))
            (org-export-to-file 'book (format "%s/org/%s.html" tree chapter) nil nil nil nil
              (list :html-head (string-replace "book.css" (concat (html-root chapter) "book.css") org-html-head)
                    :with-author nil :with-date nil :time-stamp-file nil :with-creator nil
                    :section-numbers nil :html-table-attributes nil)))
        (error (setq wrong t)
               (princ (format "org/%s.org: %s\n" chapter (error-message-string failure))
                      #'external-debugging-output))))
    (when wrong (kill-emacs 1))))

(html-main)
