;;; tangle.el --- tangle chapters in place, or say what is wrong  -*- lexical-binding: t -*-
;; SPDX-License-Identifier: BSD-3-Clause

;; Run by tools/tangle as: emacs --batch -Q -l tangle.el TREE CHAPTER...
;; in a copy of the book, TREE, where TREE/house holds the lines of tools/house.
;; Org by itself is silent where a book must not be: it writes an empty line for
;; a chunk that it cannot find, or for a Python block that fails, takes the first
;; of two chunks of one name, and drops blocks that nobody uses. So each chapter
;; is checked before it is tangled.

(load (expand-file-name "book.el" (file-name-directory load-file-name)) nil t)
(require 'ob-tangle)
(require 'org-element)
(require 'subr-x)

(defconst tangle-code-languages
  '("c" "cpp" "f90" "fypp" "python" "sh" "bash" "awk" "nroff" "C" "C++" "fortran" "emacs-lisp" "js" "css" "html")
  "Languages of blocks that are code: not tangled and not used, they would be lost.")

(defconst tangle-comments
  '(("h" . "/* %s */") ("c" . "/* %s */") ("hpp" . "// %s") ("cpp" . "// %s")
    ("inc" . "! %s") ("f90" . "! %s") ("F90" . "! %s") ("fypp" . "#! %s")
    ("sh" . "# %s") ("org" . "# %s") ("py" . "# %s") ("pyi" . "# %s") ("map" . "# %s") ("1" . ".\\\" %s") ("3" . ".\\\" %s")
    ("7" . ".\\\" %s") ("m4" . "# %s") ("ac" . "# %s") ("am" . "# %s") ("cmake" . "# %s") ("txt" . "# %s")
    ("js" . "// %s") ("css" . "/* %s */") ("html" . "<!-- %s -->")
    ("json" . tangle-comment-of-json))
  "How a file with an extension writes a line of comment; or a function that returns several in one text.")

(defvar tangle-complaints nil "What is wrong, last first.")

(defun tangle-complain (place format &rest arguments)
  (push (concat place ": " (apply #'format format arguments)) tangle-complaints))

(defun tangle-stop-if-wrong ()
  (when tangle-complaints
    (dolist (complaint (reverse (delete-dups tangle-complaints)))
      (princ (concat complaint "\n") #'external-debugging-output))
    (kill-emacs 1)))

;;; Python blocks

(defun tangle-refuse-failure (_exit-code stderr)
  "Raise what STDERR, a trace of Python's, says in its last line."
  (error "%s" (or (car (last (split-string stderr "\n" t "[ \t]+"))) "it said nothing")))
(advice-add 'org-babel-eval-error-notify :override #'tangle-refuse-failure)

(defun tangle-run-python (run body parameters)
  "RUN a block; name it when it fails, and take the last newline from what it prints."
  (let ((place (book-place))
        (name (nth 4 (org-babel-get-src-block-info 'light))))
    (condition-case failure
        (let ((printed (funcall run body parameters)))
          (if (stringp printed) (string-trim-right printed "[\n]+") printed))
      (error (tangle-complain place "the Python block \"%s\" fails: %s"
                              (or name "without a name") (error-message-string failure))
             (tangle-stop-if-wrong)))))
(advice-add 'org-babel-execute:python :around #'tangle-run-python)

;;; What a chapter names and uses

(defun tangle-parameter (block keyword)
  "The value that BLOCK's own lines, the chapter or the defaults give to KEYWORD."
  (save-excursion
    (goto-char (org-element-property :post-affiliated block))
    (cdr (assq keyword (nth 2 (org-babel-get-src-block-info 'light))))))

(defun tangle-tangled-p (block)
  (not (member (tangle-parameter block :tangle) '("no" nil))))

(defun tangle-illustration-p (block)
  "Whether BLOCK's own line says that it is not to be tangled."
  (string-match-p ":tangle +no\\>" (or (org-element-property :parameters block) "")))

(defun tangle-name (block)
  (or (org-element-property :name block) (tangle-parameter block :noweb-ref)))

(defun tangle-arguments (reference)
  "What the arguments of the call REFERENCE refer to."
  (when (string-match "\\`[^(]+(\\(.*\\))\\'" reference)
    (delq nil
          (mapcar (lambda (argument)
                    (let ((value (string-trim (or (cadr (split-string argument "=")) ""))))
                      (unless (string-match-p "\\`\\(['\"].*\\|[-0-9.]*\\)\\'" value)
                        (car (split-string value "[][()]")))))
                  (org-babel-ref-split-args (match-string 1 reference))))))

(defun tangle-references (block)
  "The references in the body of BLOCK, as (NAME POSITION . ARGUMENTS)."
  (let ((end (org-element-property :end block)) found)
    (save-excursion
      (goto-char (org-element-property :post-affiliated block))
      (forward-line)
      (while (re-search-forward (org-babel-noweb-wrap) end t)
        (let ((reference (match-string-no-properties 1))
              (position (match-beginning 0)))
          (push (cons (car (split-string reference "("))
                      (cons position (tangle-arguments reference)))
                found))))
    (nreverse found)))

(defun tangle-variables (block)
  "What the :var arguments of BLOCK refer to."
  (save-excursion
    (goto-char (org-element-property :post-affiliated block))
    (apply #'append
           (mapcar (lambda (parameter)
                     (when (and (eq (car parameter) :var) (stringp (cdr parameter)))
                       (tangle-arguments (format "block(%s)" (cdr parameter)))))
                   (nth 2 (org-babel-get-src-block-info 'light))))))

(defun tangle-names (tree)
  (org-element-map tree org-element-all-elements
    (lambda (element) (org-element-property :name element))))

(defun tangle-known-p (name names)
  "Whether NAME is among NAMES, or in the chapter that it gives before a colon."
  (if (string-match "\\`\\(.+\\.org\\):\\(.+\\)\\'" name)
      (let ((file (match-string 1 name)) (there (match-string 2 name)))
        (and (file-exists-p file)
             (with-current-buffer (find-file-noselect file)
               (member there (tangle-names (org-element-parse-buffer))))))
    (member name names)))

(defvar tangle-tree nil "The folder of the book.")
(defvar tangle-uses 'unknown "What chapters name of each other, as FILE.org:NAME.")

(defun tangle-used-elsewhere-p (name)
  "Whether a chapter takes NAME from this one; chapters of one file name are not told apart."
  (when (eq tangle-uses 'unknown)
    (setq tangle-uses
          (mapcar (lambda (use) (string-remove-suffix ">>" use))
                  (process-lines-ignore-status "grep" "-rhoE" "--include=*.org"
                                               "-e" "[a-z0-9_]+\\.org:[A-Za-z0-9-]+" "-e" "[a-z0-9_]+\\.org:[^<>()]+>>"
                                               (concat tangle-tree "/org")))))
  (and name (member (concat (file-name-nondirectory buffer-file-name) ":" name) tangle-uses)))

(defun tangle-check-chapter ()
  "Complain of every name that is not there and every block that would be lost."
  (let* ((tree (org-element-parse-buffer))
         (blocks (org-element-map tree 'src-block #'identity))
         (names (tangle-names tree))
         (chunks (delq nil (mapcar #'tangle-name blocks)))
         (waiting (seq-filter (lambda (block)
                                (or (tangle-tangled-p block) (tangle-used-elsewhere-p (tangle-name block))))
                              blocks))
         reached)
    (dolist (name (delete-dups (seq-filter
                                (lambda (name)
                                  (> (seq-count (lambda (other) (equal name other)) names) 1))
                                (copy-sequence names))))
      (tangle-complain (book-file)
                       "the name \"%s\" is given more than once; org takes only the first" name))
    ;; Follow the references from what is tangled.
    (while waiting
      (let ((block (pop waiting)))
        (unless (memq block reached)
          (push block reached)
          (dolist (variable (tangle-variables block))
            (if (tangle-known-p variable names)
                (dolist (other blocks)
                  (when (equal (tangle-name other) variable) (push other waiting)))
              (tangle-complain (book-place (org-element-property :post-affiliated block))
                               "nothing is named \"%s\"" variable)))
          (pcase-dolist (`(,name ,position . ,arguments) (tangle-references block))
            (if (or (member name chunks) (string-match-p "\\.org:" name))
                (dolist (other blocks)
                  (when (equal (tangle-name other) name) (push other waiting)))
              (tangle-complain (book-place position) "no chunk is named \"%s\"" name))
            (dolist (argument arguments)
              (unless (tangle-known-p argument names)
                (tangle-complain (book-place position) "nothing is named \"%s\"" argument)))))))
    (dolist (block blocks)
      (let ((language (org-element-property :language block))
            (place (book-place (org-element-property :post-affiliated block))))
        (cond ((null language)
               (tangle-complain place "this block names no language"))
              ((or (memq block reached) (tangle-illustration-p block)
                   (not (member language tangle-code-languages))))
              ((tangle-name block)
               (tangle-complain place "no tangled block uses the chunk \"%s\": it would be lost"
                                (tangle-name block)))
              (t
               (tangle-complain place "this %s block is neither tangled nor named: it would be \
lost; an illustration says \":tangle no\" on its own line" language)))))
    (org-element-map tree 'babel-call
      (lambda (call)
        (dolist (name (cons (org-element-property :call call)
                            (tangle-arguments
                             (format "call(%s)" (or (org-element-property :arguments call) "")))))
          (unless (tangle-known-p name names)
            (tangle-complain (book-place (org-element-property :post-affiliated call))
                             "nothing is named \"%s\"" name)))))))

;;; Chunks of other chapters

(defun tangle-chunk-of (chapter name)
  "The chunk NAME of the file CHAPTER, expanded there: its blocks in their order, a blank line between them, as in a file."
  (let (bodies)
    (when (file-exists-p chapter)
      (with-current-buffer (find-file-noselect chapter)
        (org-with-wide-buffer
         (org-babel-map-src-blocks nil
           (let ((info (org-babel-get-src-block-info 'light)))
             (when (member name (list (nth 4 info) (cdr (assq :noweb-ref (nth 2 info)))))
               (push (org-babel-expand-noweb-references info) bodies)))))))
    (unless bodies (error "no chunk of %s is named \"%s\"" chapter name))
    (string-join (nreverse bodies) "\n\n")))

(defun tangle-put-chunks (expand &optional info &rest more)
  "Put in place what the block INFO takes as <<CHAPTER.org:NAME>>, then EXPAND all else; org has only calls across files."
  (let ((info (copy-sequence (or info (org-babel-get-src-block-info 'light)))))
    (setf (nth 1 info)
          (replace-regexp-in-string
           "^\\(.*\\)<<\\([^<>()\n]+\\.org\\):\\([^<>()\n]+\\)>>"
           (lambda (reference)
             (save-match-data
               (let ((before (match-string 1 reference)))
                 (mapconcat (lambda (line) (concat before line))
                            (split-string (tangle-chunk-of (match-string 2 reference) (match-string 3 reference)) "\n")
                            "\n"))))
           (nth 1 info) t t))
    (apply expand info more)))
(advice-add 'org-babel-expand-noweb-references :around #'tangle-put-chunks)

;;; Tangling

(defvar tangle-block-place nil "Where the block that is being tangled stands.")

(defun tangle-remember-place (&rest _)
  (setq tangle-block-place (book-place)))
(advice-add 'org-babel-tangle-single-block :before #'tangle-remember-place)

(defun tangle-comment (file)
  "How FILE, the current buffer, writes a line of comment: a script with #, whatever the end of its name; nil, if unknown."
  (if (or (looking-at "#!/") (equal (file-name-nondirectory file) "Doxyfile"))
      "# %s"
    (cdr (assoc (file-name-extension file) tangle-comments))))

(defun tangle-comment-of-json (&rest lines)
  "A member for the first line of an object, since JSON has no comments, and each member once."
  (format "  \"$comment\": \"%s\",\n" (string-join lines ". ")))

(defun tangle-lines-of-comment (comment &rest lines)
  "LINES as COMMENT, of tangle-comments, writes them."
  (if (functionp comment)
      (apply comment lines)
    (mapconcat (lambda (line) (concat (format comment line) "\n")) lines "")))

(defun tangle-sign (file chapter)
  "Name CHAPTER in the first line of FILE and the license in the second, and take trailing blanks away."
  (with-temp-buffer
    (insert-file-contents file)
    (delete-trailing-whitespace)
    (let ((comment (tangle-comment file)))
      (if (null comment)
          (tangle-complain (format "org/%s.org" chapter)
                           "how a comment is written in %s is not known; tell tools/tangle.el" file)
        (when (looking-at "#!\\|{$") (forward-line))
        (insert (tangle-lines-of-comment comment (format "Tangled from org/%s.org; change the chapter, then run: \
make tangle" chapter)
                                         "SPDX-License-Identifier: BSD-3-Clause"))
        (goto-char (point-max))
        (unless (bolp) (insert "\n"))
        (write-region nil nil file nil 'quiet)))))

(defun tangle-promised (house chapter)
  "The files that HOUSE promises of CHAPTER; fypp writes generated/X.F90 where there is X.fypp."
  (let ((files (delq nil (mapcar (lambda (row) (when (equal (car row) chapter) (nth 2 row)))
                                 house))))
    (seq-remove (lambda (file)
                  (and (string-match "generated/\\([^/]+\\)\\.F90\\'" file)
                       (member (replace-match "\\1.fypp" t nil file) files)))
                files)))

(defun tangle-chapter (tree house chapter)
  (let ((promised (tangle-promised house chapter)) tangled)
    (with-current-buffer (find-file-noselect (format "%s/org/%s.org" tree chapter))
      (tangle-check-chapter)
      (unless tangle-complaints
        (condition-case failure
            (setq tangled
                  (mapcar (lambda (file) (file-relative-name (expand-file-name file) tree))
                          (org-babel-tangle)))
          (error (tangle-complain tangle-block-place "%s" (error-message-string failure))))))
    (unless tangle-complaints
      (dolist (file (seq-difference promised tangled))
        (tangle-complain (format "org/%s.org" chapter)
                         "no block is tangled to %s, which org/index.org promises" file))
      (dolist (file (seq-difference tangled promised))
        (tangle-complain (format "org/%s.org" chapter)
                         "%s is tangled, but org/index.org does not promise it here" file)))
    (unless tangle-complaints
      (dolist (file tangled)
        (tangle-sign (expand-file-name file tree) chapter)))))

(defun tangle-main ()
  (let* ((inhibit-message t)
         (tree (directory-file-name (file-truename (pop command-line-args-left))))
         (chapters command-line-args-left)
         (house (with-temp-buffer
                  (insert-file-contents (expand-file-name "house" tree))
                  (mapcar (lambda (line) (split-string line "\t"))
                          (split-string (buffer-string) "\n" t))))
         wrong)
    (setq command-line-args-left nil
          tangle-tree tree)
    (dolist (chapter chapters)
      (condition-case failure
          (tangle-chapter tree house chapter)
        (error (tangle-complain (format "org/%s.org" chapter) "%s"
                                (error-message-string failure))))
      (setq wrong (append tangle-complaints wrong)
            tangle-complaints nil))
    (setq tangle-complaints wrong)
    (tangle-stop-if-wrong)))

(tangle-main)
