// Runs before the first paint, as a file of its own because the served policy refuses inline scripts.
;(() => {
  const { documentElement: root, currentScript } = document
  // Addresses begin with their language, except in English: with the one that was chosen, or else that the browser prefers.
  const others = currentScript.dataset.languages.split(' ').filter(Boolean)
  const [first, ...rest] = location.pathname.slice(1).split('/')
  const here = others.includes(first) ? first : 'en'
  let language = null
  let choice = null
  let signedIn = false
  let known = false
  try {
    language = localStorage.getItem('language')
    choice = localStorage.getItem('mantine-color-scheme-value')
    signedIn = Object.keys(localStorage).some((key) => /^sb-.*-auth-token$/.test(key))
    known = localStorage.getItem('known-device') !== null
  } catch {
    // Storage is switched off in this browser; the system's choice is followed.
  }
  const preferred = navigator.languages
    .map((tag) => tag.split('-')[0])
    .find((tag) => tag === 'en' || others.includes(tag))
  const wanted = language ?? (here === 'en' ? preferred : here) ?? 'en'
  if (wanted !== here && (wanted === 'en' || others.includes(wanted))) {
    const path = here === 'en' ? location.pathname : `/${rest.join('/')}`
    location.replace(
      (wanted === 'en' ? path : `/${wanted}${path === '/' ? '' : path}`) + location.search + location.hash,
    )
    return
  }
  // Tokens in the address, or a refusal to give them: only the app can make sense of those.
  const arriving = () => /[?#&](access_token|error|error_code)=/.test(location.search + location.hash)
  // In a page that is open already, a link may change nothing but the end of the address.
  addEventListener('hashchange', () => arriving() && location.reload())
  if (signedIn || arriving()) root.dataset.returning = ''
  if (known) root.dataset.known = ''
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  root.dataset.mantineColorScheme = choice === 'light' || choice === 'dark' ? choice : system

  // What is sent before the app has come is sent by it, unless somebody writes on (lib/first-sight.ts).
  addEventListener('submit', ({ target }) => {
    target.dataset.sent = ''
  })
  addEventListener('input', ({ target }) => {
    delete target.form?.dataset.sent
  })

  const fill = (name) => {
    for (const { content } of document.querySelectorAll(`template[data-${name}]`))
      document.head.append(content.cloneNode(true))
  }
  const { effectiveType = '4g', saveData = false } = navigator.connection ?? {}
  const slow = effectiveType !== '4g' || saveData
  // On a slow line the fonts come last, and the ones at hand stand in.
  if (slow) root.dataset.slow = ''
  else fill('fonts')
  // The app is loaded once the page that was drawn ahead is seen. On a slow line first what asks for data: the rest comes meanwhile.
  const startApp = () => {
    for (const name of slow ? ['app'] : ['app', 'rest']) {
      fill(name)
      fill(`${name}-of-${signedIn ? 'members' : 'visitors'}`)
    }
  }
  addEventListener('DOMContentLoaded', () => {
    // What is drawn for other readers has the same ids, and a link within the page would lead there.
    const other = 'returning' in root.dataset ? 'visitor' : 'member'
    document.querySelector(`[data-first-sight="${other}"]`)?.remove()
    document.querySelector(`[data-device="${known ? 'new' : 'known'}"]`)?.remove()
    // A page that nobody looks at yet is never drawn.
    if (document.hidden) startApp()
    else requestAnimationFrame(() => setTimeout(startApp))
  })
})()
