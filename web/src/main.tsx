// The first script of every page, and all of it that stands between a page built ahead and its reader.
import { isArriving } from './lib/arriving.ts'
import { begunToUse, loadAtRest, loadLater, rememberPress } from './lib/built-ahead.ts'

const place = document.getElementById('root') ?? document.body
const builtAhead = place.hasAttribute('data-ahead')
// color-scheme.js has looked for a stored session.
const visitor = document.documentElement.dataset.returning === undefined && !isArriving(window.location)

/** What was built ahead can be read, and its links followed, as it is: the app comes when somebody begins to use it. */
async function main() {
  let onShown = () => {}
  if (builtAhead && visitor) {
    onShown = rememberPress(place)
    void loadAtRest()
    await begunToUse(place)
  }
  loadLater()
  const { start } = await import('./start.tsx')
  await start(place, { visitor, onShown })
}

main().catch((problem: unknown) => {
  // Without its scripts there is no app to say so. A page built ahead goes on being readable, and its links work.
  if (!builtAhead)
    place.textContent = 'Potluck could not be loaded. Check your connection, then load the page again.'
  throw problem
})
