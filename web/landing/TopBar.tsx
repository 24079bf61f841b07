import { t } from '@lingui/core/macro'
import { IconMenu2, IconMoon, IconSun, IconX } from '@tabler/icons-react'
import basics from '#features/home/landing/basics.module.css'
import { addressOf, language, languages } from '#lib/language.ts'
import { languageName } from '#lib/language-choice.ts'
import { visitorNavigation } from '#routes/-shell/navigation.ts'
import shell from '#routes/-shell/Shell.module.css'
import { Logo } from '#ui/Logo.tsx'
import { OfflineWords } from '#ui/OfflineNotice.tsx'
import page from './Page.module.css'
import classes from './TopBar.module.css'

const { top } = visitorNavigation

/** Attributes of a link that mark it as the link to the current page. */
export const here = (to: string) =>
  to === '/' && ({ 'aria-current': 'page', 'data-status': 'active' } as const)

/** The bar at the top. Below 768 px its links are in the menu, which opens without a script. */
export function TopBar() {
  return (
    <header className={classes.top}>
      <div className={`${basics.container} ${shell.topInner}`}>
        <a href={addressOf('/')} className={shell.home} aria-label={t`Potluck, home`}>
          <Logo />
        </a>
        <nav className={shell.links} aria-label={t`Main`}>
          {top.map(({ label, to }) => (
            <a
              key={to}
              href={addressOf(to)}
              className={to === '/signup' ? `${basics.secondary} ${classes.signUp}` : shell.link}
              {...here(to)}
            >
              {label}
            </a>
          ))}
        </nav>
        <div className={shell.tools}>
          <Languages className={`${shell.language} ${classes.languages} ${classes.wide}`} />
          <button
            type="button"
            className={`${page.icon} ${classes.switch}`}
            aria-label={t`Switch between light and dark appearance`}
            data-scheme-button
          >
            <IconMoon size={22} aria-hidden className={classes.moon} />
            <IconSun size={22} aria-hidden className={classes.sun} />
          </button>
          <details className={`${shell.narrow} ${classes.menu}`} data-menu>
            <summary className={page.icon} aria-label={t`Menu`}>
              <IconMenu2 size={24} aria-hidden className={classes.open} />
              <IconX size={24} aria-hidden className={classes.close} />
            </summary>
            <div className={classes.panel}>
              <Logo size={30} />
              <nav aria-label={t`Menu`} className={classes.entries}>
                {top.map(({ label, to, icon: Icon }) => (
                  <a key={to} href={addressOf(to)} className={classes.entry} {...here(to)}>
                    <Icon size={20} aria-hidden />
                    {label}
                  </a>
                ))}
              </nav>
              <fieldset className={classes.schemes}>
                <legend>{t`Appearance`}</legend>
                <div className={classes.choices}>
                  {Object.entries({ light: t`Light`, dark: t`Dark`, auto: t`Auto` }).map(([value, label]) => (
                    <label key={value} className={classes.scheme}>
                      <input type="radio" name="scheme" className={basics.spoken} value={value} />
                      <span>{label}</span>
                    </label>
                  ))}
                </div>
              </fieldset>
              <Languages className={`${shell.language} ${classes.languages}`} />
            </div>
          </details>
        </div>
      </div>
      <OfflineWords hidden />
    </header>
  )
}

/** The choice of language; the script opens the page in the chosen one. */
function Languages({ className }: { className: string | undefined }) {
  if (languages.length < 2) return null
  return (
    <select aria-label={t`Language`} defaultValue={language} className={className} data-languages>
      {languages.map((code) => (
        <option key={code} value={code}>
          {languageName(code)}
        </option>
      ))}
    </select>
  )
}
