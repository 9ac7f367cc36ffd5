// Dialogs and messages. The browser keeps the focus inside an open dialog and gives it back afterwards.

import {element} from './text.js';

const MESSAGE_MILLIS = 8000;
const MOST_MESSAGES = 4;
const $ = id => document.getElementById(id);

export function message(text, level = 'good') {
  const toast = element('p', {className: 'toast data'}, text);
  toast.dataset.level = level;
  if (level === 'bad') {
    toast.setAttribute('role', 'alert');
  }
  $('toasts').append(toast);
  while ($('toasts').childElementCount > MOST_MESSAGES) {
    $('toasts').firstElementChild.remove();
  }
  setTimeout(() => toast.remove(), MESSAGE_MILLIS);
}

/**
 * Asks before something is done, and does it once however often the button is pressed, since a disabled one submits nothing.
 * Resolves to whether it was done. An error is shown in the dialog, which stays open.
 */
export function confirm({title, text, button, dangerous = false, asksReason = false, action}) {
  const dialog = $('confirm-dialog');
  const doIt = $('confirm-do');
  $('confirm-title').textContent = title;
  $('confirm-text').textContent = text;
  $('confirm-error').textContent = '';
  $('confirm-reason-label').hidden = !asksReason;
  $('confirm-reason').required = asksReason;
  $('confirm-reason').value = '';
  doIt.textContent = button;
  doIt.className = dangerous ? 'danger solid' : 'primary';
  dialog.showModal();
  (asksReason ? $('confirm-reason') : $('confirm-cancel')).focus();
  return new Promise(resolve => {
    let busy = false;
    const end = done => {
      $('confirm-form').onsubmit = null;
      $('confirm-cancel').onclick = null;
      dialog.oncancel = null;
      dialog.close();
      resolve(done);
    };
    const run = async () => {
      busy = true;
      doIt.disabled = true;
      try {
        await action($('confirm-reason').value.trim());
        end(true);
      } catch (error) {
        $('confirm-error').textContent = error.message;
      } finally {
        busy = false;
        doIt.disabled = false;
      }
    };
    $('confirm-form').onsubmit = event => {
      event.preventDefault();
      run();
    };
    $('confirm-cancel').onclick = () => !busy && end(false);
    dialog.oncancel = event => {
      event.preventDefault();
      if (!busy) {
        end(false);
      }
    };
  });
}
