// Runs before the first paint, as a file of its own because the served policy refuses inline scripts.
;(() => {
  let choice = null
  let signedIn = false
  try {
    choice = localStorage.getItem('mantine-color-scheme-value')
    signedIn = Object.keys(localStorage).some((key) => /^sb-.*-auth-token$/.test(key))
  } catch {
    // Storage is switched off in this browser; the system's choice is followed.
  }
  // Tokens in the address, or a refusal to give them: only the app can make sense of those.
  const arriving = () => /[?#&](access_token|error|error_code)=/.test(location.search + location.hash)
  // In a page that is open already, a link may change nothing but the end of the address.
  addEventListener('hashchange', () => arriving() && location.reload())
  if (signedIn || arriving()) document.documentElement.dataset.returning = ''
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  document.documentElement.dataset.mantineColorScheme =
    choice === 'light' || choice === 'dark' ? choice : system

  const fill = (name) => {
    for (const { content } of document.querySelectorAll(`template[data-${name}]`))
      document.head.append(content.cloneNode(true))
  }
  const { effectiveType = '4g', saveData = false } = navigator.connection ?? {}
  const slow = effectiveType !== '4g' || saveData
  // On a slow line the fonts come last, and the ones at hand stand in.
  if (slow) document.documentElement.dataset.slow = ''
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
    const other = 'returning' in document.documentElement.dataset ? 'visitor' : 'member'
    document.querySelector(`[data-first-sight="${other}"]`)?.remove()
    // A page that nobody looks at yet is never drawn.
    if (document.hidden) startApp()
    else requestAnimationFrame(() => setTimeout(startApp))
  })
})()
