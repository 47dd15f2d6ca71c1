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

(defun html-table (table contents info)
  "Print TABLE in a box that scrolls; a row that begins empty goes on with the one above."
  (format "<div class=\"table\">\n%s\n</div>"
          (replace-regexp-in-string "<tr>\\(\n<td[^>]*>&#xa0;</td>\\)" "<tr class=\"more\">\\1"
                                    (org-html-table table contents info))))

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
