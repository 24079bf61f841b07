// Runs before the first paint. A separate file, because the content security policy refuses inline scripts.
;(() => {
  const { documentElement: root, currentScript } = document
  // Redirects to the page's address in the chosen language or, without a choice, in the one that the browser prefers.
  // English addresses have no prefix.
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
    // This browser has storage disabled, so the defaults apply.
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
  // The address has tokens, or an error of a sign-in: only the app can handle these.
  const arriving = () => /[?#&](access_token|error|error_code)=/.test(location.search + location.hash)
  // In an open page, a link may change only the fragment of the address, which loads no new page.
  addEventListener('hashchange', () => arriving() && location.reload())
  if (signedIn || arriving()) root.dataset.returning = ''
  if (known) root.dataset.known = ''
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  root.dataset.mantineColorScheme = choice === 'light' || choice === 'dark' ? choice : system

  // Marks forms that are submitted before the app has started (lib/first-sight.ts); typing removes the mark.
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
  // On a slow connection the fonts load last; until then, local fonts replace them.
  if (slow) root.dataset.slow = ''
  else fill('fonts')
  // Loads the app after the prerendered page is painted; on a slow connection first what requests data.
  const startApp = () => {
    for (const name of slow ? ['app'] : ['app', 'rest']) {
      fill(name)
      fill(`${name}-of-${signedIn ? 'members' : 'visitors'}`)
    }
  }
  addEventListener('DOMContentLoaded', () => {
    // Removes the markup for other readers, which has the same ids.
    const other = 'returning' in root.dataset ? 'visitor' : 'member'
    document.querySelector(`[data-first-sight="${other}"]`)?.remove()
    document.querySelector(`[data-device="${known ? 'new' : 'known'}"]`)?.remove()
    // A hidden page is not painted, so waiting for a frame would never end.
    if (document.hidden) startApp()
    else requestAnimationFrame(() => setTimeout(startApp))
  })
})()
