/** Mantine's style elements for the theme, not those of single components. */
export const STYLE = /<style data-mantine-styles="(?:true|classes)">[\s\S]*?<\/style>/g

/** Returns the app's markup as a page can contain it before the app's scripts have run. */
export const asFirstSight = (markup: string): string =>
  markup
    // Removes the router's inline hydration script, because the site's Content Security Policy would block it.
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replace(STYLE, '')
    // With this method, a form submitted before the app runs sends nothing; lib/first-sight.ts submits it later.
    .replaceAll('<form ', '<form method="dialog" ')
    .replaceAll(
      /<(?=button(?! [^>]*type="submit")|select|input [^>]*type="(?:checkbox|radio|file)")([a-z]+) /g,
      '<$1 inert ',
    )
