import ts from "typescript-api";

/** The sentences that an expression can be; what they name is called x1. */
export function textsOf(node: ts.Node | undefined): readonly string[] {
  if (node === undefined) return [];
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text];
  if (ts.isTemplateExpression(node))
    return [node.head.text + node.templateSpans.map(({ literal }) => `x1${literal.text}`).join("")];
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
    return [...textsOf(node.left), ...textsOf(node.right)];
  if (ts.isElementAccessExpression(node)) return textsOf(givenTo(node.expression));
  if (ts.isObjectLiteralExpression(node))
    return node.properties.flatMap((one) => (ts.isPropertyAssignment(one) ? textsOf(one.initializer) : []));
  return ts.isIdentifier(node) ? textsOf(givenTo(node)) : [];
}

/** What a name was given in the function around it, else in the file. */
function givenTo(name: ts.Node): ts.Node | undefined {
  let found: ts.Node | undefined;
  const look = (node: ts.Node) => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === name.getText()) found ??= node.initializer;
    ts.forEachChild(node, look);
  };
  for (let scope = name.parent; scope !== undefined && found === undefined; scope = scope.parent)
    if (ts.isFunctionLike(scope) || ts.isSourceFile(scope)) look(scope);
  return found;
}
