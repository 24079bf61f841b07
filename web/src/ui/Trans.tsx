import { i18n } from '@lingui/core'
import { TransNoContext, type TransProps } from '@lingui/react/server'
import '#lib/language.ts'

/** What the build makes of <Trans>: a message with elements in it. The language is the page's, so no context tells it. */
export const Trans = (props: TransProps) => <TransNoContext {...props} lingui={{ i18n }} />
