;;; book.el --- settings that tangling and printing the book share  -*- lexical-binding: t -*-
;; SPDX-License-Identifier: BSD-3-Clause

(require 'org)
(require 'ob-python)

;; A book fits in memory; with Emacs' own 800 KB, two thirds of the time go to collecting garbage.
(setq gc-cons-threshold (* 256 1024 1024))

(setq make-backup-files nil
      create-lockfiles nil
      vc-handled-backends nil
      enable-local-variables nil
      org-inhibit-startup t
      org-src-preserve-indentation t
      org-confirm-babel-evaluate nil
      org-babel-noweb-error-all-langs t
      org-babel-python-command (if (file-executable-p "/usr/bin/python3")
                                   "/usr/bin/python3"
                                 "python3"))
(set-language-environment "UTF-8")
(setq-default indent-tabs-mode nil)

;; The names that chapters give to languages; org's own `C' and `C++' would
;; wrap a block in a main function.
(dolist (language '(("cpp" . c++) ("c" . c) ("f90" . f90) ("fypp" . f90) ("nroff" . nroff)))
  (setf (alist-get (car language) org-src-lang-modes nil nil #'equal) (cdr language)))

;; `:no-expand': a block reaches its file as it stands, whatever helpers org has
;; for its language.
(setq org-babel-default-header-args
      '((:session . "none") (:results . "replace") (:exports . "code") (:cache . "no")
        (:noweb . "yes") (:hlines . "no") (:tangle . "no") (:mkdirp . "yes")
        (:comments . "no") (:padline . "yes") (:no-expand . "yes"))
      org-babel-default-header-args:python '((:results . "output")))

(defun book-line (&optional position)
  "The line of POSITION, or of point, in the whole chapter."
  (save-restriction (widen) (line-number-at-pos position)))

(defun book-file ()
  "The file of the chapter as org/CHAPTER.org, also where it is in a folder of org."
  (let ((file (buffer-file-name (buffer-base-buffer))))
    (if (string-match "\\(?:.*\\)/\\(org/.*\\)\\'" file) (match-string 1 file) file)))

(defun book-place (&optional position)
  "The place of POSITION, or of point, as org/CHAPTER.org:LINE."
  (format "%s:%d" (book-file) (book-line position)))

(provide 'book)
