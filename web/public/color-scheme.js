// Runs before the first paint, as a file of its own because the served policy refuses inline scripts.
;(() => {
  let choice = null
  try {
    choice = localStorage.getItem('mantine-color-scheme-value')
    // Somebody with a session is not shown the visitors' page while the app starts.
    if (Object.keys(localStorage).some((key) => /^sb-.*-auth-token$/.test(key)))
      document.documentElement.dataset.returning = ''
  } catch {
    // Storage is switched off in this browser; the system's choice is followed.
  }
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  document.documentElement.dataset.mantineColorScheme =
    choice === 'light' || choice === 'dark' ? choice : system
})()
