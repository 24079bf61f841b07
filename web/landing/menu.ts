/** The menu opens and closes by itself; this closes it for those who leave it. */
export function startMenu(page: ParentNode): void {
  const menu = page.querySelector<HTMLDetailsElement>('details')
  if (!menu) return
  const close = () => {
    menu.open = false
  }
  menu.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !menu.open) return
    close()
    menu.querySelector('summary')?.focus()
  })
  menu.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !menu.contains(relatedTarget)) close()
  })
  // People who come back find the page, not the menu they left it through.
  window.addEventListener('pagehide', close)
}
