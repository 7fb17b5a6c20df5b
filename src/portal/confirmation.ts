/** Asks for confirmation before an action that cannot be undone. It opens without a script, and its button sends the form. */
import { type Html, html } from '../site/html.ts';

/**
 * @param label the action, shown on the button that opens the question
 * @param form the fields, and the button that performs the action
 */
export const confirmation = (
  label: string,
  {
    action,
    question,
    form,
    isDangerous = false,
  }: { action: string; question: string; form: Html; isDangerous?: boolean },
): Html => html`<details class="confirmation"><summary${isDangerous && html` class="danger"`}>${label}</summary>
<form method="post" action="${action}"><p>${question}</p>${form}</form></details>`;
