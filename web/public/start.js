// Runs before the first paint. A separate file, because the content security policy refuses inline scripts.
;(() => {
  const MONTH = 30 * 24 * 3_600_000
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
  let tokens = {}
  let session = ''
  try {
    language = localStorage.getItem('language')
    choice = localStorage.getItem('mantine-color-scheme-value')
    known = localStorage.getItem('known-device') !== null
    const stored = Object.keys(localStorage).find((key) => /^sb-.*-auth-token$/.test(key))
    signedIn = stored !== undefined
    tokens = JSON.parse(localStorage.getItem(stored)) ?? {}
    const claims = tokens.access_token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')
    session = JSON.parse(atob(claims)).session_id
  } catch {
    // This browser has storage disabled, or there is no session, so the defaults apply.
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

  // Asked for now, before the scripts, since a browser sends only a few requests at a time.
  const config = signedIn ? fetch('/config.json').then((answer) => answer.json()) : Promise.reject()
  config.catch(() => undefined)

  // Marks forms that are submitted before the app has started (lib/first-sight.ts); typing removes the mark.
  addEventListener('submit', ({ target }) => {
    target.dataset.sent = ''
  })
  // A link to another step of the same page only changes the address, which the app reads once it has started.
  addEventListener('click', (event) => {
    const link = event.target.closest?.('[data-first-sight] a')
    const sight = link?.closest('[data-first-sight]')
    if (!sight || event.button > 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (link.pathname !== location.pathname || link.search === location.search || link.hash) return
    event.preventDefault()
    history.pushState(null, '', link.href)
    sight.querySelector('[data-pressed]')?.removeAttribute('data-pressed')
    link.dataset.pressed = ''
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
  // Shows a signed-in person what they saw last at this address (routes/-shell/last-sight.ts), in this session and with
  // this build, in place of the page without data.
  const showLast = (frame) => {
    try {
      const last = JSON.parse(localStorage.getItem(`last-sight:${location.pathname}${location.search}`))
      const isLinked = (href) => document.querySelector(`link[href="${href}"]`) !== null
      // Another build may have other class names, and then another first style sheet.
      const isCurrent = last.session === session && last.at > Date.now() - MONTH && isLinked(last.sheets[0])
      if (!session || !isCurrent) return
      for (const href of last.sheets.filter((href) => !isLinked(href)))
        document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href }))
      frame.innerHTML = last.markup
      frame.dataset.last = ''
    } catch {
      // Nothing is stored for this address.
    }
  }
  // Fills a list of the prerendered page with the person's own rows, long before the app has come on a slow connection.
  // `data-rows` is what to ask the Data API; the template's texts and links name the fields of a row.
  const fillRows = async (template) => {
    if (!(tokens.expires_at > Date.now() / 1000)) return
    const { supabaseUrl, supabaseAnonKey: apikey } = await config
    const answer = await fetch(supabaseUrl + template.dataset.rows.replace('{user}', tokens.user.id), {
      headers: { apikey, authorization: `Bearer ${tokens.access_token}` },
    })
    const rows = answer.ok ? await answer.json() : []
    if (rows.length === 0 || !template.isConnected) return
    const list = template.parentElement
    list.removeAttribute('aria-busy')
    const filled = (text, row) => text.replace(/\{(\w+)\}/g, (_all, field) => row[field])
    list.replaceChildren(
      ...rows.map((row) => {
        const item = template.content.cloneNode(true)
        const link = item.querySelector('a')
        link.textContent = filled(link.textContent, row)
        link.setAttribute('href', filled(link.getAttribute('href'), row))
        return item
      }),
    )
  }
  // Loads the app after the prerendered page is painted; for visitors on a slow connection first what requests data.
  const startApp = () => {
    for (const name of slow && !signedIn ? ['app'] : ['app', 'rest']) {
      fill(name)
      fill(`${name}-of-${signedIn ? 'members' : 'visitors'}`)
    }
  }
  addEventListener('DOMContentLoaded', () => {
    // Removes the markup for other readers, which has the same ids.
    const [other, reader] = 'returning' in root.dataset ? ['visitor', 'member'] : ['member', 'visitor']
    const [drawn, own] = [other, reader].map((who) =>
      document.querySelector(`[data-first-sight="${who}"] main`),
    )
    // Only visitors' pages are drawn with their data. Signed-in people see it too, without what only visitors can do.
    if (own && drawn?.querySelector('[data-for-visitors]')) own.replaceChildren(...drawn.childNodes)
    document.querySelector(`[data-first-sight="${other}"]`)?.remove()
    document.querySelector(`[data-device="${known ? 'new' : 'known'}"]`)?.remove()
    const frame = document.querySelector('[data-first-sight="member"]')
    if (frame) showLast(frame)
    // The landing page fetches it.
    else addEventListener('first-sight', ({ target }) => showLast(target))
    for (const template of document.querySelectorAll('[data-first-sight="member"] template[data-rows]'))
      fillRows(template).catch(() => undefined)
    // A hidden page is not painted, so waiting for a frame would never end.
    if (document.hidden) startApp()
    else requestAnimationFrame(() => setTimeout(startApp))
  })
})()
