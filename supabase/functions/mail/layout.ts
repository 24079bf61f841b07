/** The texts of a mail, as HTML. */
export interface MailTexts {
  /** A BCP 47 tag. */
  language: string
  heading: string
  paragraphs: string[]
  action: string
  /** The URL that the button opens. */
  link: string
  /** The text below the button. */
  small_print: string
  /** The request to copy the URL if the button does nothing. */
  paste: string
  closing: string
  /** A link to unsubscribe from mail of this kind; null if nobody can unsubscribe from it. */
  stop: { text: string; link: string } | null
  motto: string
  /** The label of the link to the page about the site's operator. */
  imprint: string
}

/** Returns the HTML of a mail. `npm run types` uses this layout for the auth service's templates too. */
export const layOut = ({
  heading,
  paragraphs,
  action,
  link,
  stop,
  ...texts
}: MailTexts): string => `<!doctype html>
<html lang="${texts.language}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light">
  <title>${heading}</title>
</head>
<body style="margin:0;padding:0;background-color:#FFFBF4;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#FFFBF4;">
<tr><td align="center" style="padding:40px 16px;">
  <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px;font-family:Inter,'Segoe UI',Helvetica,Arial,sans-serif;">
  <tr><td style="padding:0 8px 20px;font-size:24px;line-height:32px;font-weight:700;letter-spacing:-0.02em;color:#B4451F;">Potluck</td></tr>
  <tr><td style="padding:32px 28px;background-color:#FFFFFF;border:1px solid #EFE4D6;border-top:4px solid #B4451F;border-radius:14px;">
    <h1 style="margin:0 0 16px;font-size:26px;line-height:34px;font-weight:700;letter-spacing:-0.02em;color:#2A1F18;overflow-wrap:anywhere;">${heading}</h1>
${paragraphs.map(paragraph).join('\n')}
    <p style="margin:0 0 24px;"><a href="${link}" style="display:inline-block;padding:14px 28px;font-size:16px;line-height:20px;font-weight:600;color:#FFFFFF;text-decoration:none;background-color:#B4451F;border-radius:10px;">${action}</a></p>
    <p style="margin:0 0 8px;font-size:14px;line-height:22px;color:#6A6059;">${texts.small_print} ${texts.paste}</p>
    <p style="margin:0;font-size:13px;line-height:20px;word-break:break-all;"><a href="${link}" style="color:#B4451F;">${link}</a></p>
  </td></tr>
  <tr><td style="padding:20px 8px 0;font-size:13px;line-height:20px;color:#6A6059;">
    <p style="margin:0 0 4px;">${texts.closing}</p>${stop ? `\n    <p style="margin:0 0 4px;"><a href="${stop.link}" style="color:#6A6059;">${stop.text}</a></p>` : ''}
    <p style="margin:0 0 4px;">${texts.motto}</p>
    <p style="margin:0;"><a href="{{ .SiteURL }}/imprint" style="color:#6A6059;">${texts.imprint}</a></p>
  </td></tr>
  </table>
</td></tr>
</table>
</body>
</html>
`

const paragraph = (text: string) =>
  `    <p style="margin:0 0 24px;font-size:16px;line-height:26px;color:#2A1F18;overflow-wrap:anywhere;">${text.replaceAll('\n', '<br>')}</p>`
