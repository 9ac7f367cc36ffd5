// Puts the parts of the page together.

import {post} from './api.js';
import {DeadLetterList} from './deadletters.js';
import {message} from './dialogs.js';
import {Live} from './live.js';
import {Overview} from './overview.js';
import {clock, visible} from './text.js';

const WIDE = '(min-width: 60rem)';
const $ = id => document.getElementById(id);
const overview = new Overview();
const letters = new DeadLetterList();
let lastGood = Date.now();

function connection(text, level, banner) {
  $('connection').textContent = text;
  $('connection').dataset.level = level;
  document.body.classList.toggle('is-stale', level === 'bad');
  if ($('banner').textContent !== banner) {
    $('banner').textContent = banner;
  }
}

$('filter-box').open = matchMedia(WIDE).matches;
$('sign-out').addEventListener('click', async () => {
  try {
    await post('api/logout');
    location.assign('login');
  } catch (error) {
    message(error.message, 'bad');
  }
});

new Live({
  hello(hello) {
    $('schema').textContent = `schema ${visible(hello.schema)}`;
    $('read-only').hidden = !hello.readOnly;
    $('sign-out').hidden = !hello.signedIn;
    overview.begin(hello);
    letters.begin(hello);
  },
  status(status) {
    if (status.answers) {
      lastGood = Date.now();
      connection('Live', 'good', '');
      overview.show(status);
      letters.show(status);
    } else {
      overview.keep(status.seconds);
      connection('Database silent', 'bad',
          `The database does not answer since ${clock(lastGood)}. What you see is from then.`);
    }
  },
  lost(reason) {
    connection('Connection lost', 'bad',
        `The connection to the server is lost since ${clock(lastGood)}. What you see is from then; trying again. ${visible(reason)}`);
  },
});
